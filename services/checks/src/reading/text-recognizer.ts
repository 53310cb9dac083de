import type { InferenceSession } from 'onnxruntime-node'
import { openSession, runSession } from './onnx.ts'
import type { Raster } from './raster.ts'

/** The recogniser's input height in pixels. */
export const LINE_HEIGHT = 48
const MIN_WIDTH = 48
/** Limits memory, which grows with the width; 3,200 px hold more than 90 characters. */
export const MAX_LINE_WIDTH = 3200
/** One time step of the network, in pixels. */
const WIDTH_STEP = 8

/** The network's output for one line: class probabilities per time step. Class 0 is the CTC blank. */
export interface LineProbabilities {
  readonly steps: number
  readonly classes: number
  readonly data: Float32Array
}

export class TextRecognizer {
  readonly #session: InferenceSession
  /** Class index to character; index 0 is the CTC blank. */
  readonly characters: readonly string[]

  private constructor(session: InferenceSession, characters: readonly string[]) {
    this.#session = session
    this.characters = characters
  }

  static async open(path: string, characters: readonly string[]): Promise<TextRecognizer> {
    return new TextRecognizer(await openSession(path, { arena: true }), ['', ...characters, ' '])
  }

  /**
   * Probabilities of each line image (RGB, `LINE_HEIGHT` high), in the given order. Runs one line at a time, because a
   * batch costs as much as its lines plus the padding of the shorter ones.
   */
  async recognize(lines: readonly Raster[]): Promise<LineProbabilities[]> {
    const results: LineProbabilities[] = []
    for (const line of lines) {
      const width = Math.max(MIN_WIDTH, Math.ceil(line.width / WIDTH_STEP) * WIDTH_STEP)
      const { data, dims } = await runSession(this.#session, toInput(line, width), [1, 3, LINE_HEIGHT, width])
      const steps = dims[1]!
      const classes = dims[2]!
      // Steps entirely inside the padding contain nothing of the line.
      const used = Math.min(steps, Math.ceil((line.width / width) * steps))
      results.push({ steps: used, classes, data: data.subarray(0, used * classes) })
    }
    return results
  }

  async close(): Promise<void> {
    await this.#session.release()
  }
}

/** Blue, green, red planes scaled to -1..1; the padding to the right stays 0, as in training. */
function toInput({ data, width, height }: Raster, paddedWidth: number): Float32Array {
  const input = new Float32Array(3 * height * paddedWidth)
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < height; y++) {
      let o = (c * height + y) * paddedWidth
      for (let x = 0, j = y * width * 3 + 2 - c; x < width; x++, j += 3) input[o++] = data[j]! / 127.5 - 1
    }
  }
  return input
}
