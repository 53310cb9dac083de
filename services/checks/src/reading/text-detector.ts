import type { InferenceSession } from 'onnxruntime-node'
import {
  convexHull,
  distance,
  growRectangle,
  minimumAreaRectangle,
  type Point,
  type Quad,
  scaleQuad,
} from './geometry.ts'
import { openSession, runSession } from './onnx.ts'
import { type Raster, resizeRaster } from './raster.ts'

export interface TextBox {
  readonly quad: Quad
  /** Mean text probability inside the region, 0 to 1. */
  readonly score: number
}

/** Real-time Scene Text Detection with Differentiable Binarization (Liao et al., 2020), section 3.4. */
const PIXEL_THRESHOLD = 0.3
const BOX_THRESHOLD = 0.55
/** The network is trained on shrunk text kernels; a region is expanded again by area × ratio / perimeter. */
const UNCLIP_RATIO = 1.6
const MIN_SIDE = 3
const MAX_BOXES = 300
const LONG_SIDE = 960
/** Small images are enlarged, but further interpolation adds cost and no detail. */
const MAX_ENLARGEMENT = 3
const STRIDE = 32
/** ImageNet means and standard deviations, in the blue-green-red order of the models' training. */
const MEAN = [0.485, 0.456, 0.406]
const DEVIATION = [0.229, 0.224, 0.225]

export class TextDetector {
  readonly #session: InferenceSession

  private constructor(session: InferenceSession) {
    this.#session = session
  }

  static async open(path: string): Promise<TextDetector> {
    return new TextDetector(await openSession(path))
  }

  /** Finds text lines in an RGB image. Boxes are in its pixels, upright, in no particular order. */
  async detect(image: Raster, longSide = LONG_SIDE): Promise<TextBox[]> {
    const scale = Math.min(MAX_ENLARGEMENT, longSide / Math.max(image.width, image.height))
    const width = Math.max(STRIDE, Math.round((image.width * scale) / STRIDE) * STRIDE)
    const height = Math.max(STRIDE, Math.round((image.height * scale) / STRIDE) * STRIDE)
    const small = await resizeRaster(image, width, height)
    const { data } = await runSession(this.#session, toInput(small), [1, 3, height, width])
    return boxesFromProbabilities(data, width, height).map(({ quad, score }) => ({
      quad: scaleQuad(quad, image.width / width, image.height / height),
      score,
    }))
  }

  async close(): Promise<void> {
    await this.#session.release()
  }
}

function toInput({ data, width, height }: Raster): Float32Array {
  const plane = width * height
  const input = new Float32Array(plane * 3)
  for (let c = 0; c < 3; c++) {
    const factor = 1 / (255 * DEVIATION[c]!)
    const offset = MEAN[c]! / DEVIATION[c]!
    for (let i = 0, j = 2 - c, o = c * plane; i < plane; i++, j += 3, o++)
      input[o] = data[j]! * factor - offset
  }
  return input
}

/** Text regions of a probability map: 8-connected components above the threshold, as expanded rectangles. */
export function boxesFromProbabilities(map: Float32Array, width: number, height: number): TextBox[] {
  const seen = new Uint8Array(width * height)
  const stack: number[] = []
  const boxes: TextBox[] = []
  for (let start = 0; start < map.length && boxes.length < MAX_BOXES; start++) {
    if (seen[start] || map[start]! <= PIXEL_THRESHOLD) continue
    // The leftmost and rightmost pixel of each row determine the convex hull.
    const rows = new Map<number, [number, number]>()
    let sum = 0
    let count = 0
    seen[start] = 1
    stack.push(start)
    while (stack.length > 0) {
      const at = stack.pop()!
      const x = at % width
      const y = (at - x) / width
      sum += map[at]!
      count++
      const row = rows.get(y)
      if (!row) rows.set(y, [x, x])
      else if (x < row[0]) row[0] = x
      else if (x > row[1]) row[1] = x
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx
          if (seen[next] || map[next]! <= PIXEL_THRESHOLD) continue
          seen[next] = 1
          stack.push(next)
        }
      }
    }
    const score = sum / count
    if (score < BOX_THRESHOLD) continue
    const outline: Point[] = []
    for (const [y, [left, right]] of rows) {
      outline.push({ x: left, y }, { x: right + 1, y }, { x: left, y: y + 1 }, { x: right + 1, y: y + 1 })
    }
    const rectangle = minimumAreaRectangle(convexHull(outline))
    if (!rectangle) continue
    const w = distance(rectangle[0], rectangle[1])
    const h = distance(rectangle[0], rectangle[3])
    if (Math.min(w, h) < MIN_SIDE) continue
    const grow = (w * h * UNCLIP_RATIO) / (2 * (w + h))
    boxes.push({ quad: growRectangle(rectangle, grow, grow), score })
  }
  return boxes
}
