import type { Point, Quad } from './geometry.ts'
import { quadHeight, quadWidth } from './geometry.ts'
import type { Raster } from './raster.ts'

/** A projective map of the plane, row by row; the ninth element is 1. */
type Homography = readonly [number, number, number, number, number, number, number, number]

/**
 * The map that takes the unit square onto a quadrilateral (Heckbert, "Fundamentals of Texture Mapping
 * and Image Warping", 1989, section 2.2.3).
 */
export function unitSquareTo(quad: Quad): Homography {
  const [p0, p1, p2, p3] = quad
  const sx = p0.x - p1.x + p2.x - p3.x
  const sy = p0.y - p1.y + p2.y - p3.y
  const dx1 = p1.x - p2.x
  const dx2 = p3.x - p2.x
  const dy1 = p1.y - p2.y
  const dy2 = p3.y - p2.y
  const det = dx1 * dy2 - dx2 * dy1
  const g = det === 0 ? 0 : (sx * dy2 - dx2 * sy) / det
  const h = det === 0 ? 0 : (dx1 * sy - sx * dy1) / det
  return [
    p1.x - p0.x + g * p1.x,
    p3.x - p0.x + h * p3.x,
    p0.x,
    p1.y - p0.y + g * p1.y,
    p3.y - p0.y + h * p3.y,
    p0.y,
    g,
    h,
  ]
}

export function project(m: Homography, u: number, v: number): Point {
  const w = m[6] * u + m[7] * v + 1
  return { x: (m[0] * u + m[1] * v + m[2]) / w, y: (m[3] * u + m[4] * v + m[5]) / w }
}

/**
 * Cuts a quadrilateral out of an image and rectifies it to `width` × `height` pixels: bilinear, averaging as many
 * samples per pixel as the reduction requires. Outside the image, the nearest edge pixel is repeated.
 */
export function rectify(source: Raster, quad: Quad, width: number, height: number): Raster {
  const { data, channels } = source
  const map = unitSquareTo(quad)
  const out = new Uint8Array(width * height * channels)
  const samplesX = Math.max(1, Math.min(4, Math.round(quadWidth(quad) / width)))
  const samplesY = Math.max(1, Math.min(4, Math.round(quadHeight(quad) / height)))
  const share = 1 / (samplesX * samplesY)
  const maxX = source.width - 1
  const maxY = source.height - 1
  const stride = source.width * channels
  const sum = [0, 0, 0]
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      sum[0] = sum[1] = sum[2] = 0
      for (let j = 0; j < samplesY; j++) {
        const v = (y + (j + 0.5) / samplesY) / height
        for (let i = 0; i < samplesX; i++) {
          const u = (x + (i + 0.5) / samplesX) / width
          const w = map[6] * u + map[7] * v + 1
          let sx = (map[0] * u + map[1] * v + map[2]) / w - 0.5
          let sy = (map[3] * u + map[4] * v + map[5]) / w - 0.5
          if (sx < 0) sx = 0
          else if (sx > maxX) sx = maxX
          if (sy < 0) sy = 0
          else if (sy > maxY) sy = maxY
          const x0 = sx | 0
          const y0 = sy | 0
          const fx = sx - x0
          const fy = sy - y0
          const a = y0 * stride + x0 * channels
          const right = x0 < maxX ? channels : 0
          const down = y0 < maxY ? stride : 0
          for (let c = 0; c < channels; c++) {
            const top = data[a + c]! * (1 - fx) + data[a + right + c]! * fx
            const bottom = data[a + down + c]! * (1 - fx) + data[a + down + right + c]! * fx
            sum[c]! += top * (1 - fy) + bottom * fy
          }
        }
      }
      for (let c = 0; c < channels; c++) out[o++] = sum[c]! * share + 0.5
    }
  }
  return { data: out, width, height, channels }
}
