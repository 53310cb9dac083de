import { basename, dirname } from 'node:path'
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import { type Raster, toGrey } from './raster.ts'

const suffix = '.traineddata'

/** A second MRZ reader, independent of the first: Tesseract with an OCR-B model. */
export class TesseractLineReader {
  readonly #worker: Worker

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  /** `modelPath` ends in `.traineddata`. Everything is read from disk; nothing is downloaded or cached. */
  static async open(modelPath: string): Promise<TesseractLineReader> {
    if (!modelPath.endsWith(suffix)) throw new Error(`a Tesseract model's file name ends in ${suffix}`)
    const worker = await createWorker(basename(modelPath, suffix), OEM.LSTM_ONLY, {
      langPath: dirname(modelPath),
      gzip: false,
      cacheMethod: 'none',
      // Without a handler, a failed job is thrown into the event loop in addition to being rejected.
      errorHandler: () => undefined,
    })
    await worker.setParameters({
      tessedit_pageseg_mode: PSM.SINGLE_LINE,
      tessedit_char_whitelist: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<',
      user_defined_dpi: '300',
    })
    return new TesseractLineReader(worker)
  }

  /** The text of one rectified line, without spaces. */
  async read(line: Raster): Promise<string> {
    const { data } = await this.#worker.recognize(portableGreyMap(line))
    return data.text.replace(/\s/g, '')
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Binary PGM (Netpbm P5), the cheapest format that Tesseract's image library accepts. */
function portableGreyMap(line: Raster): Buffer {
  const grey = toGrey(line)
  return Buffer.concat([Buffer.from(`P5\n${grey.width} ${grey.height}\n255\n`), grey.data])
}
