import type { InferenceSession } from 'onnxruntime-node'
import { bestFace, type PortraitReading } from '../domain/document/portrait.ts'
import { openSession, runNamedSession } from './onnx.ts'
import type { QuarterTurns } from './page-text.ts'
import { type Raster, resizeRaster, turnRaster } from './raster.ts'

const STRIDES = [8, 16, 32] as const
/** Input sides are multiples of the largest stride. */
const MULTIPLE = 32
/** A portrait that fills a tenth of the image is then 64 pixels wide; the network finds faces from 10 pixels on. */
const LONG_SIDE = 640

/**
 * Finds the portrait on a document with YuNet. One run is enough, because the text determines the orientation of the
 * page.
 */
export class PortraitFinder {
  readonly #session: InferenceSession

  private constructor(session: InferenceSession) {
    this.#session = session
  }

  static async open(path: string): Promise<PortraitFinder> {
    return new PortraitFinder(await openSession(path))
  }

  /** `quarterTurns` clockwise make the RGB image upright. Null when no face is found. */
  async find(image: Raster, quarterTurns: QuarterTurns): Promise<PortraitReading | null> {
    const scale = LONG_SIDE / Math.max(image.width, image.height)
    const small = await resizeRaster(
      image,
      Math.max(1, Math.round(image.width * scale)),
      Math.max(1, Math.round(image.height * scale)),
    )
    const upright = turnRaster(small, quarterTurns)
    const { width, height } = this.#inputSize(upright)
    const output = await runNamedSession(this.#session, toInput(upright, width, height), [
      1,
      3,
      height,
      width,
    ])
    const named = (name: string) => {
      const values = output.get(name)
      if (!values) throw new Error(`the face detector has no output ${name}`)
      return values
    }
    const grids = STRIDES.map((stride) => ({
      stride,
      cls: named(`cls_${stride}`),
      obj: named(`obj_${stride}`),
      bbox: named(`bbox_${stride}`),
    }))
    return bestFace(grids, width, upright)
  }

  async close(): Promise<void> {
    await this.#session.release()
  }

  /** One model accepts only 640 × 640, the other any multiple of 32. */
  #inputSize(image: Raster): { width: number; height: number } {
    const [metadata] = this.#session.inputMetadata
    const [, , height, width] = metadata?.isTensor ? metadata.shape : []
    if (typeof height === 'number' && typeof width === 'number') return { width, height }
    const up = (side: number) => Math.ceil(side / MULTIPLE) * MULTIPLE
    return { width: up(image.width), height: up(image.height) }
  }
}

/** Planes of blue, green, red from 0 to 255, zero-padded to the right and below. */
function toInput(image: Raster, width: number, height: number): Float32Array {
  const plane = width * height
  const input = new Float32Array(3 * plane)
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < image.height; y++) {
      let o = c * plane + y * width
      for (let x = 0, j = y * image.width * 3 + 2 - c; x < image.width; x++, j += 3)
        input[o++] = image.data[j]!
    }
  }
  return input
}
