import type { Box, RgbImage } from './image.ts'

/** Side of MiniFASNet's square input, in pixels. */
export const LIVENESS_INPUT_SIDE = 80
/** Index of the live class in the networks' output; 0 and 2 are types of attack. */
export const LIVE_CLASS = 1

/** The networks of the ensemble, each with its crop in face sizes; without surroundings every face looks fake. */
export const LIVENESS_MODELS = [
  { name: 'minifasnet_v2', margin: 2.7 },
  { name: 'minifasnet_v1se', margin: 4 },
] as const

/** Edges in whole pixels; right and bottom are inclusive. */
type Crop = { left: number; top: number; right: number; bottom: number }

/**
 * The crop that a network of the ensemble gets: `margin` times the face's box around its centre, less if the image is
 * smaller, and moved inside if it exceeds an edge (as in the training crops of Silent-Face-Anti-Spoofing).
 */
export function livenessCrop(image: { width: number; height: number }, box: Box, margin: number): Crop {
  const factor = Math.min(margin, (image.width - 1) / box.width, (image.height - 1) / box.height)
  const along = (start: number, length: number, side: number): [number, number] => {
    const half = (length * factor) / 2
    const centre = Math.min(Math.max(start + length / 2, half), side - 1 - half)
    return [Math.max(0, Math.trunc(centre - half)), Math.min(side - 1, Math.trunc(centre + half))]
  }
  const [left, right] = along(box.x, box.width, image.width)
  const [top, bottom] = along(box.y, box.height, image.height)
  return { left, top, right, bottom }
}

/** Source positions along one axis: the two pixels around each target pixel's centre and the second one's weight. */
function bilinearTaps(start: number, length: number, targetLength: number) {
  const first = new Int32Array(targetLength)
  const second = new Int32Array(targetLength)
  const weight = new Float64Array(targetLength)
  for (let target = 0; target < targetLength; target += 1) {
    const position = Math.min(Math.max(((target + 0.5) * length) / targetLength - 0.5, 0), length - 1)
    const lower = Math.floor(position)
    first[target] = start + lower
    second[target] = start + Math.min(lower + 1, length - 1)
    weight[target] = position - lower
  }
  return { first, second, weight }
}

/**
 * A network's input: the crop at 80 × 80, bilinear, planes B, G, R with values 0 to 255, not normalised (NCHW, N = 1).
 * Order and range must match the training; in RGB order, fakes pass.
 */
export function livenessInput(image: RgbImage, box: Box, margin: number): Float32Array {
  const { left, top, right, bottom } = livenessCrop(image, box, margin)
  const side = LIVENESS_INPUT_SIDE
  const plane = side * side
  const input = new Float32Array(3 * plane)
  const columns = bilinearTaps(left, right - left + 1, side)
  const rows = bilinearTaps(top, bottom - top + 1, side)
  for (let y = 0; y < side; y += 1) {
    const upper = rows.first[y]! * image.width
    const lower = rows.second[y]! * image.width
    const wy = rows.weight[y]!
    for (let x = 0; x < side; x += 1) {
      const a = columns.first[x]!
      const b = columns.second[x]!
      const wx = columns.weight[x]!
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (row: number, column: number) => image.data[(row + column) * 3 + channel]!
        const above = at(upper, a) * (1 - wx) + at(upper, b) * wx
        const below = at(lower, a) * (1 - wx) + at(lower, b) * wx
        input[(2 - channel) * plane + y * side + x] = Math.round(above * (1 - wy) + below * wy)
      }
    }
  }
  return input
}

/** Probability of a live person: the mean of the networks' softmax outputs for the live class. */
export function combineLiveness(outputs: readonly Float32Array[]): number {
  const sum = outputs.reduce((total, output) => total + output[LIVE_CLASS]!, 0)
  return sum / outputs.length
}
