import sharp from 'sharp'
import type { FaceEngine } from '../src/engine/face-engine.ts'

/** Yaw of a photo's head in degrees to the person's left, and zoom `closer` (1: none); `flat` simulates a print. */
export type View = { yaw?: number; closer?: number; flat?: boolean }

const radians = (degrees: number) => (degrees * Math.PI) / 180
/** Dimensions of an average face, in millimetres. */
const EYE_DISTANCE = 64
const HEAD = { width: 80, height: 115, depth: 60 }
const NOSE = { below: 34, width: 13, height: 24, before: 32 }

/** Depth of a head's surface, in millimetres in front of the eye plane, at a point relative to the eyes' midpoint. */
function depthAt(x: number, y: number): number {
  const dome = Math.sqrt(Math.max(0, 1 - (x / HEAD.width) ** 2 - ((y - 30) / HEAD.height) ** 2))
  const eyes = Math.sqrt(1 - (EYE_DISTANCE / 2 / HEAD.width) ** 2 - (30 / HEAD.height) ** 2)
  const bump = NOSE.before * Math.exp(-((x / NOSE.width) ** 2) - ((y - NOSE.below) / NOSE.height) ** 2)
  return HEAD.depth * (dome - eyes) + bump
}

/** 1 on the face, 0 on the background, which does not move. */
function onHead(x: number, y: number): number {
  const distance = Math.hypot(x / HEAD.width, (y - 30) / HEAD.height)
  return Math.min(1, Math.max(0, (1.9 - distance) / 0.8))
}

/**
 * Warps the photo as if the person had turned: each pixel moves like the surface of an average head under weak
 * perspective. A simulation, but of a 3D head and a real person. Returns a JPEG of working size.
 */
export async function turnedPhoto(engine: FaceEngine, photo: Buffer, view: View): Promise<Buffer> {
  const { image, prominent } = await engine.detect(photo)
  const { data, ...info } = { data: image.data, width: image.width, height: image.height }
  const { right_eye, left_eye } = prominent!.landmarks
  const centre = { x: (right_eye.x + left_eye.x) / 2, y: (right_eye.y + left_eye.y) / 2 }
  const unit = Math.hypot(left_eye.x - right_eye.x, left_eye.y - right_eye.y) / EYE_DISTANCE
  const yaw = radians(view.yaw ?? 0)
  const output = Buffer.alloc(data.length)
  for (let row = 0; row < info.height; row += 1) {
    for (let column = 0; column < info.width; column += 1) {
      const u = (column - centre.x) / unit
      const v = (row - centre.y) / unit
      const angle = view.flat ? yaw : yaw * onHead(u, v)
      const target = (row * info.width + column) * 3
      if (angle === 0) {
        for (let channel = 0; channel < 3; channel += 1) output[target + channel] = data[target + channel]!
        continue
      }
      let x = u
      for (let step = 0; step < 8; step += 1) {
        const depth = view.flat ? 0 : depthAt(x, v)
        x = (u - depth * Math.sin(angle)) / Math.cos(angle)
      }
      copyPixel(data, info, centre.x + x * unit, row, output, target)
    }
  }
  const pipeline = sharp(output, { raw: { width: info.width, height: info.height, channels: 3 } })
  const { closer = 1 } = view
  if (closer !== 1) {
    const side = (length: number) => Math.round(length / closer)
    const within = (middle: number, length: number, whole: number) =>
      Math.round(Math.min(Math.max(middle - length / 2, 0), whole - length))
    const [width, height] = [side(info.width), side(info.height)]
    pipeline
      .extract({
        left: within(centre.x, width, info.width),
        top: within(centre.y, height, info.height),
        width,
        height,
      })
      .resize(info.width, info.height, { fit: 'fill' })
  }
  return pipeline.jpeg({ quality: 92 }).toBuffer()
}

/** Bilinear; clamped to the edge. */
function copyPixel(
  data: Uint8Array,
  { width, height }: { width: number; height: number },
  x: number,
  y: number,
  output: Buffer,
  offset: number,
): void {
  const inside = (value: number, length: number) => Math.min(Math.max(value, 0), length - 1.001)
  const [px, py] = [inside(x, width), inside(y, height)]
  const [left, top] = [Math.floor(px), Math.floor(py)]
  const [fx, fy] = [px - left, py - top]
  for (let channel = 0; channel < 3; channel += 1) {
    const at = (dx: number, dy: number) => data[((top + dy) * width + left + dx) * 3 + channel]!
    output[offset + channel] = Math.round(
      (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy,
    )
  }
}
