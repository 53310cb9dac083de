import type { DetectedFace } from './face.ts'
import { landmarkPoints } from './face.ts'
import type { Point, RgbImage } from './image.ts'
import { fitSimilarityTransform, invertSimilarityTransform } from './similarity-transform.ts'

/** SFace looks at a square of this many pixels. */
export const ALIGNED_FACE_SIDE = 112

/** Where SFace was trained to see the eyes, the nose and the mouth corners (the ArcFace template). */
const TEMPLATE: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
]

/** OpenCV samples at 1/32 pixel; the same grid keeps embeddings comparable with its own. */
const SUBPIXELS = 32

/**
 * The face turned and scaled to SFace's template: 112 × 112, bilinear, black outside the image, rounded to bytes.
 * Null where the landmarks coincide, so no alignment exists.
 */
export function alignFace(image: RgbImage, face: Pick<DetectedFace, 'landmarks'>): RgbImage | null {
  const forward = fitSimilarityTransform(landmarkPoints(face.landmarks), TEMPLATE)
  const inverse = forward && invertSimilarityTransform(forward)
  if (!inverse) return null
  const side = ALIGNED_FACE_SIDE
  const aligned = new Uint8Array(side * side * 3)
  for (let y = 0, target = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1, target += 3) {
      const sourceX = Math.round((inverse.a * x - inverse.b * y + inverse.tx) * SUBPIXELS)
      const sourceY = Math.round((inverse.b * x + inverse.a * y + inverse.ty) * SUBPIXELS)
      sampleBilinear(image, sourceX, sourceY, aligned, target)
    }
  }
  return { data: aligned, width: side, height: side }
}

/** Writes the colour at (x, y), given in 1/32 pixel, to `target` at `offset`; pixels beyond the edge are black. */
function sampleBilinear(image: RgbImage, x: number, y: number, target: Uint8Array, offset: number): void {
  const { data, width, height } = image
  const left = Math.floor(x / SUBPIXELS)
  const top = Math.floor(y / SUBPIXELS)
  const fx = x - left * SUBPIXELS
  const fy = y - top * SUBPIXELS
  const hasLeft = left >= 0 && left < width
  const hasRight = left >= -1 && left < width - 1
  const hasTop = top >= 0 && top < height
  const hasBottom = top >= -1 && top < height - 1
  const upper = (top * width + left) * 3
  const lower = upper + width * 3
  const weightTL = hasTop && hasLeft ? (SUBPIXELS - fx) * (SUBPIXELS - fy) : 0
  const weightTR = hasTop && hasRight ? fx * (SUBPIXELS - fy) : 0
  const weightBL = hasBottom && hasLeft ? (SUBPIXELS - fx) * fy : 0
  const weightBR = hasBottom && hasRight ? fx * fy : 0
  for (let channel = 0; channel < 3; channel += 1) {
    let sum = 0
    if (weightTL) sum += weightTL * data[upper + channel]!
    if (weightTR) sum += weightTR * data[upper + 3 + channel]!
    if (weightBL) sum += weightBL * data[lower + channel]!
    if (weightBR) sum += weightBR * data[lower + 3 + channel]!
    target[offset + channel] = Math.round(sum / (SUBPIXELS * SUBPIXELS))
  }
}

/** SFace's input: planes R, G, B of values 0 to 255 (NCHW with N = 1). */
export function sfaceInput(aligned: RgbImage): Float32Array {
  const plane = aligned.width * aligned.height
  const input = new Float32Array(3 * plane)
  for (let pixel = 0, source = 0; pixel < plane; pixel += 1, source += 3) {
    input[pixel] = aligned.data[source]!
    input[pixel + plane] = aligned.data[source + 1]!
    input[pixel + 2 * plane] = aligned.data[source + 2]!
  }
  return input
}
