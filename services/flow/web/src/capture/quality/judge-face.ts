import type { Rect } from '../guide.ts'
import { differenceOf, type Grey, meanIn, sharpnessOf } from './grey.ts'

export type FaceHint = 'dark' | 'bright' | 'face' | 'blur' | 'motion' | 'ok'

export const faceBounds = {
  dark: 45,
  bright: 225,
  /** How much darker the eyes are than the cheeks below them, as a fraction of the face's contrast. */
  eyes: 0.18,
  sharpness: 0.006,
  motion: 8,
} as const

/** As for documents; a face is detected by the pattern of eyes, nose and cheeks. */
export function judgeFace(small: Grey, before: Grey | null, native: Grey | null, oval: Rect): FaceHint {
  const mean = meanIn(small, inner(oval))
  if (mean < faceBounds.dark) return 'dark'
  if (mean > faceBounds.bright) return 'bright'
  if (facePattern(small, oval) < faceBounds.eyes) return 'face'
  const sharpness = native ? sharpnessOf(native) : null
  if (sharpness !== null && sharpness < faceBounds.sharpness) return 'blur'
  if (differenceOf(small, before) > faceBounds.motion) return 'motion'
  return 'ok'
}

const inner = ({ x, y, width, height }: Rect): Rect => ({
  x: x + width * 0.15,
  y: y + height * 0.15,
  width: width * 0.7,
  height: height * 0.7,
})

/**
 * Strength of a face pattern near the oval, about 0 to 1: the strongest response, over positions and sizes, to "both
 * eyes are darker than the cheeks below them and than the bridge of the nose between them" (the first features of
 * Viola and Jones, 2001), relative to the local contrast. It works equally on dark and light skin, because only
 * differences count. This is only a hint; the server does the actual face detection.
 */
export function facePattern(grey: Grey, oval: Rect): number {
  const sums = integralOf(grey)
  let best = 0
  for (let size = oval.width * 0.55; size <= oval.width * 1.15; size *= 1.12) {
    const move = size * 0.08
    for (let y = oval.y - size * 0.1; y <= oval.y + oval.height * 0.6; y += move) {
      for (let x = oval.x - size * 0.2; x <= oval.x + oval.width * 1.2 - size; x += move) {
        best = Math.max(best, answerAt(sums, { x, y, width: size, height: size * 1.1 }))
      }
    }
  }
  return best
}

type Integral = { sum: Float64Array; squares: Float64Array; width: number; height: number }

function integralOf({ data, width, height }: Grey): Integral {
  const stride = width + 1
  const sum = new Float64Array(stride * (height + 1))
  const squares = new Float64Array(stride * (height + 1))
  for (let y = 0; y < height; y += 1) {
    let [row, rowSquares] = [0, 0]
    for (let x = 0; x < width; x += 1) {
      const value = data[y * width + x]!
      row += value
      rowSquares += value * value
      const at = (y + 1) * stride + x + 1
      sum[at] = sum[at - stride]! + row
      squares[at] = squares[at - stride]! + rowSquares
    }
  }
  return { sum, squares, width, height }
}

const boxSum = (table: Float64Array, stride: number, x0: number, y0: number, x1: number, y1: number) =>
  table[y1 * stride + x1]! - table[y0 * stride + x1]! - table[y1 * stride + x0]! + table[y0 * stride + x0]!

/** The response in a box from the brows to the mouth. */
function answerAt({ sum, squares, width, height }: Integral, box: Rect): number {
  const stride = width + 1
  const at = (left: number, top: number, right: number, bottom: number) => {
    const x0 = Math.round(box.x + left * box.width)
    const y0 = Math.round(box.y + top * box.height)
    const x1 = Math.round(box.x + right * box.width)
    const y1 = Math.round(box.y + bottom * box.height)
    return { x0, y0, x1, y1, area: (x1 - x0) * (y1 - y0) }
  }
  const whole = at(0, 0, 1, 1)
  if (whole.x0 < 0 || whole.y0 < 0 || whole.x1 > width || whole.y1 > height || whole.area < 100) return 0
  const mean = (left: number, top: number, right: number, bottom: number) => {
    const { x0, y0, x1, y1, area } = at(left, top, right, bottom)
    return area <= 0 ? 0 : boxSum(sum, stride, x0, y0, x1, y1) / area
  }
  const average = boxSum(sum, stride, whole.x0, whole.y0, whole.x1, whole.y1) / whole.area
  const square = boxSum(squares, stride, whole.x0, whole.y0, whole.x1, whole.y1) / whole.area
  const contrast = Math.sqrt(Math.max(square - average * average, 64))
  const leftEye = mean(0.12, 0.2, 0.42, 0.42)
  const rightEye = mean(0.58, 0.2, 0.88, 0.42)
  const bridge = mean(0.43, 0.2, 0.57, 0.42)
  const leftCheek = mean(0.12, 0.48, 0.42, 0.7)
  const rightCheek = mean(0.58, 0.48, 0.88, 0.7)
  const differences = [leftCheek - leftEye, rightCheek - rightEye, bridge - leftEye, bridge - rightEye]
  return Math.min(...differences) / contrast
}
