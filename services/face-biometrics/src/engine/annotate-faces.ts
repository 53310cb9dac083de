import { Jimp, loadFont } from 'jimp'
import { SANS_16_WHITE } from 'jimp/fonts'
import sharp from 'sharp'
import { type DetectedFace, landmarkPoints } from '../domain/face.ts'
import type { RgbImage } from '../domain/image.ts'

type Canvas = { bitmap: { data: Uint8Array; width: number; height: number } }
type Colour = readonly [number, number, number]

const PROMINENT: Colour = [0, 200, 83]
const OTHER: Colour = [255, 171, 0]
const LANDMARK: Colour = [213, 0, 249]
const LINE = 2
const LABEL_HEIGHT = 20
const LABEL_WIDTH = 44

function fill(canvas: Canvas, x: number, y: number, width: number, height: number, colour: Colour): void {
  const { data, width: canvasWidth, height: canvasHeight } = canvas.bitmap
  const bound = (value: number, most: number) => Math.min(Math.max(Math.round(value), 0), most)
  const right = bound(x + width, canvasWidth)
  const bottom = bound(y + height, canvasHeight)
  for (let row = bound(y, canvasHeight); row < bottom; row += 1)
    for (let column = bound(x, canvasWidth); column < right; column += 1)
      data.set(colour, (row * canvasWidth + column) * 4)
}

function outline(canvas: Canvas, { box }: DetectedFace, colour: Colour): void {
  fill(canvas, box.x, box.y, box.width, LINE, colour)
  fill(canvas, box.x, box.y + box.height - LINE, box.width, LINE, colour)
  fill(canvas, box.x, box.y, LINE, box.height, colour)
  fill(canvas, box.x + box.width - LINE, box.y, LINE, box.height, colour)
}

/**
 * The image with every face's box, landmarks and score drawn in, the prominent one in green, as a JPEG for a
 * reviewer. It is re-encoded, so that no metadata of the original file is retained.
 */
export async function annotateFaces(
  image: RgbImage,
  faces: readonly DetectedFace[],
  prominent: DetectedFace | null,
): Promise<Buffer> {
  const { width, height } = image
  const canvas = new Jimp({ width, height, color: 0x000000ff })
  for (let pixel = 0; pixel < width * height; pixel += 1)
    canvas.bitmap.data.set(image.data.subarray(pixel * 3, pixel * 3 + 3), pixel * 4)
  const font = await loadFont(SANS_16_WHITE)
  for (const face of faces) {
    const colour = face === prominent ? PROMINENT : OTHER
    outline(canvas, face, colour)
    for (const { x, y } of landmarkPoints(face.landmarks)) fill(canvas, x - 2, y - 2, 5, 5, LANDMARK)
    // Above the box if there is room, else inside it.
    const top = face.box.y >= LABEL_HEIGHT ? face.box.y - LABEL_HEIGHT : face.box.y
    fill(canvas, face.box.x, top, LABEL_WIDTH, LABEL_HEIGHT, colour)
    canvas.print({ font, x: Math.round(face.box.x) + 4, y: Math.round(top) + 1, text: face.score.toFixed(2) })
  }
  return sharp(canvas.bitmap.data, { raw: { width, height, channels: 4 } })
    .flatten()
    .jpeg({ quality: 85 })
    .toBuffer()
}
