import type { DetectedFace } from './face.ts'
import { landmarkPoints } from './face.ts'
import type { Point, RgbImage } from './image.ts'
import { fitSimilarityTransform, invertSimilarityTransform } from './similarity-transform.ts'

/** Side of SFace's square input, in pixels. */
export const ALIGNED_FACE_SIDE = 112

/** Positions of the eyes, the nose and the mouth corners in SFace's training data (the ArcFace template). */
const TEMPLATE: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
]

/** OpenCV samples at 1/32 pixel; the same grid keeps embeddings comparable with OpenCV's. */
const SUBPIXELS = 32
/** log2 of SUBPIXELS². */
const SUBPIXEL_BITS = 10

/**
 * The face rotated and scaled to SFace's template: 112 × 112, bilinear, black outside the image, rounded to bytes.
 * Null if the landmarks coincide, because then no alignment exists.
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
      const left = Math.floor(sourceX / SUBPIXELS)
      const top = Math.floor(sourceY / SUBPIXELS)
      const fx = sourceX - left * SUBPIXELS
      const fy = sourceY - top * SUBPIXELS
      if (left >= 0 && top >= 0 && left < image.width - 1 && top < image.height - 1)
        sampleInside(image, left, top, fx, fy, aligned, target)
      else sampleAtEdge(image, left, top, fx, fy, aligned, target)
    }
  }
  return { data: aligned, width: side, height: side }
}

/** Normalises a sum whose four weights add up to 1024, rounding half up. */
const rounded = (sum: number) => (sum + (SUBPIXELS * SUBPIXELS) / 2) >> SUBPIXEL_BITS

/** Writes the colour interpolated between four pixels, `fx` and `fy` 32nds from the upper left one, to `target`. */
function sampleInside(
  { data, width }: RgbImage,
  left: number,
  top: number,
  fx: number,
  fy: number,
  target: Uint8Array,
  offset: number,
): void {
  const upper = (top * width + left) * 3
  const lower = upper + width * 3
  const bottomRight = fx * fy
  const topRight = fx * SUBPIXELS - bottomRight
  const bottomLeft = fy * SUBPIXELS - bottomRight
  const topLeft = SUBPIXELS * SUBPIXELS - topRight - bottomLeft - bottomRight
  for (let channel = 0; channel < 3; channel += 1)
    target[offset + channel] = rounded(
      topLeft * data[upper + channel]! +
        topRight * data[upper + 3 + channel]! +
        bottomLeft * data[lower + channel]! +
        bottomRight * data[lower + 3 + channel]!,
    )
}

/** As `sampleInside`, if some of the four pixels are outside the image; those count as black. */
function sampleAtEdge(
  { data, width, height }: RgbImage,
  left: number,
  top: number,
  fx: number,
  fy: number,
  target: Uint8Array,
  offset: number,
): void {
  for (let channel = 0; channel < 3; channel += 1) {
    let sum = 0
    for (let corner = 0; corner < 4; corner += 1) {
      const x = left + (corner & 1)
      const y = top + (corner >> 1)
      if (x < 0 || y < 0 || x >= width || y >= height) continue
      const weight = ((corner & 1) === 1 ? fx : SUBPIXELS - fx) * (corner >> 1 === 1 ? fy : SUBPIXELS - fy)
      sum += weight * data[(y * width + x) * 3 + channel]!
    }
    target[offset + channel] = rounded(sum)
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
