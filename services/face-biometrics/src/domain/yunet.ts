import type { DetectedFace } from './face.ts'
import { FACE_SCORE_COUNTED } from './face.ts'
import type { Point, RgbImage } from './image.ts'
import { suppressNonMaxima } from './non-maximum-suppression.ts'

/** YuNet predicts one face per cell on three grids with cells of these sizes, in pixels. */
export const YUNET_STRIDES = [8, 16, 32] as const
/** Input sides are multiples of the largest stride. */
export const YUNET_SIDE_MULTIPLE = 32

const NMS_MAX_OVERLAP = 0.3
/** Bounds the quadratic suppression on images crafted to activate every cell. */
const MAX_CANDIDATES = 5000

/** The raw output of one grid in row-major order, with one or more values per cell. */
export type YunetGrid = {
  stride: number
  /** Probability that the cell contains a face; one per cell. */
  cls: Float32Array
  /** Probability that a box is centred here; one per cell. */
  obj: Float32Array
  /** Centre offset x, y and log width, log height, in strides; four per cell. */
  bbox: Float32Array
  /** Five points x, y, in strides from the cell's corner; ten per cell. */
  kps: Float32Array
}

/**
 * The network's input for an image: planes B, G, R with values 0 to 255 (NCHW with N = 1), the image in the upper
 * left corner, zeros to the right and below. `inputWidth` and `inputHeight` must be at least the image's. Written to
 * the beginning of `buffer` if given and large enough, to avoid allocating megabytes for every image.
 */
export function yunetInput(
  image: RgbImage,
  inputWidth: number,
  inputHeight: number,
  buffer?: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  const plane = inputWidth * inputHeight
  const size = 3 * plane
  const input =
    buffer !== undefined && buffer.length >= size ? buffer.subarray(0, size) : new Float32Array(size)
  const [blue, green, red] = [0, 1, 2].map((n) => input.subarray(n * plane, (n + 1) * plane)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const { data, width, height } = image
  for (let y = 0, source = 0; y < height; y += 1) {
    let target = y * inputWidth
    for (const end = target + width; target < end; target += 1, source += 3) {
      red[target] = data[source]!
      green[target] = data[source + 1]!
      blue[target] = data[source + 2]!
    }
    for (const part of [blue, green, red]) part.fill(0, target, (y + 1) * inputWidth)
  }
  for (const part of [blue, green, red]) part.fill(0, height * inputWidth)
  return input
}

/** The smallest input of a dynamic-size YuNet for an image: sides rounded up to a multiple of 32. */
export function yunetInputSize(width: number, height: number): { width: number; height: number } {
  const up = (side: number) => Math.ceil(side / YUNET_SIDE_MULTIPLE) * YUNET_SIDE_MULTIPLE
  return { width: up(width), height: up(height) }
}

const clip = (value: number) => Math.min(Math.max(value, 0), 1)

function decodeCell(
  grid: YunetGrid,
  index: number,
  column: number,
  row: number,
  score: number,
): DetectedFace {
  const { stride, bbox, kps } = grid
  const width = Math.exp(bbox[index * 4 + 2]!) * stride
  const height = Math.exp(bbox[index * 4 + 3]!) * stride
  const point = (n: number): Point => ({
    x: (kps[index * 10 + 2 * n]! + column) * stride,
    y: (kps[index * 10 + 2 * n + 1]! + row) * stride,
  })
  return {
    box: {
      x: (column + bbox[index * 4]!) * stride - width / 2,
      y: (row + bbox[index * 4 + 1]!) * stride - height / 2,
      width,
      height,
    },
    landmarks: {
      right_eye: point(0),
      left_eye: point(1),
      nose_tip: point(2),
      right_mouth_corner: point(3),
      left_mouth_corner: point(4),
    },
    score,
  }
}

/**
 * Decodes the faces in YuNet's output, best score first, in pixels of the network's input.
 *
 * score = sqrt(clip(cls) · clip(obj)); centre = (cell + d) · stride; size = exp(log size) · stride (Wu, Peng, Yu:
 * "YuNet: A Tiny Millisecond-level Face Detector", 2023, section 3; as in OpenCV's FaceDetectorYN).
 */
export function decodeYunet(
  grids: readonly YunetGrid[],
  inputWidth: number,
  minScore: number = FACE_SCORE_COUNTED,
): DetectedFace[] {
  const candidates: DetectedFace[] = []
  for (const grid of grids) {
    const columns = inputWidth / grid.stride
    for (let index = 0; index < grid.cls.length; index += 1) {
      const score = Math.sqrt(clip(grid.cls[index]!) * clip(grid.obj[index]!))
      if (score < minScore) continue
      candidates.push(decodeCell(grid, index, index % columns, Math.floor(index / columns), score))
    }
  }
  candidates.sort((a, b) => b.score - a.score)
  return suppressNonMaxima(candidates.slice(0, MAX_CANDIDATES), NMS_MAX_OVERLAP)
}
