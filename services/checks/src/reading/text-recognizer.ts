import type { InferenceSession } from 'onnxruntime-node'
import { openSession, runSession } from './onnx.ts'
import type { Raster } from './raster.ts'

/** The recogniser's input height in pixels. */
export const LINE_HEIGHT = 48
const MIN_WIDTH = 48
/** Wider lines cost memory without end; 3,200 px hold more than 90 characters. */
export const MAX_LINE_WIDTH = 3200
/** Lines of similar width share a run; the padding of the shorter ones is lost work. */
const MAX_BATCH_AREA = 48 * 3200

/** What the network says of one line: class probabilities per time step. Class 0 is the CTC blank. */
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
    return new TextRecognizer(await openSession(path), ['', ...characters, ' '])
  }

  /** Probabilities of each line image (RGB, `LINE_HEIGHT` high), in the given order. */
  async recognize(lines: readonly Raster[]): Promise<LineProbabilities[]> {
    const order = lines.map((_, i) => i).sort((a, b) => lines[a]!.width - lines[b]!.width)
    const results = new Array<LineProbabilities>(lines.length)
    for (let i = 0; i < order.length; ) {
      const batch: number[] = []
      let width = MIN_WIDTH
      while (i < order.length) {
        const next = Math.max(width, lines[order[i]!]!.width)
        const wasteful = batch.length > 0 && next > width * 1.25 + 32
        if (batch.length > 0 && (wasteful || next * (batch.length + 1) * LINE_HEIGHT > MAX_BATCH_AREA)) break
        width = next
        batch.push(order[i++]!)
      }
      width = Math.ceil(width / 8) * 8
      const input = new Float32Array(batch.length * 3 * LINE_HEIGHT * width)
      batch.forEach((line, n) => {
        writeInput(lines[line]!, input, n * 3 * LINE_HEIGHT * width, width)
      })
      const { data, dims } = await runSession(this.#session, input, [batch.length, 3, LINE_HEIGHT, width])
      const steps = dims[1]!
      const classes = dims[2]!
      batch.forEach((line, n) => {
        // Steps that lie wholly in the padding say nothing about the line.
        const used = Math.min(steps, Math.ceil((lines[line]!.width / width) * steps))
        results[line] = {
          steps: used,
          classes,
          data: data.subarray(n * steps * classes, (n * steps + used) * classes),
        }
      })
    }
    return results
  }

  async close(): Promise<void> {
    await this.#session.release()
  }
}

/** Blue, green, red planes scaled to -1..1; the padding to the right stays 0, as in training. */
function writeInput(
  { data, width, height }: Raster,
  input: Float32Array,
  offset: number,
  stride: number,
): void {
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < height; y++) {
      let o = offset + (c * height + y) * stride
      for (let x = 0, j = y * width * 3 + 2 - c; x < width; x++, j += 3) input[o++] = data[j]! / 127.5 - 1
    }
  }
}
