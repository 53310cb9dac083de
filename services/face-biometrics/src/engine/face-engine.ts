import sharp from 'sharp'
import { ALIGNED_FACE_SIDE, alignFace, sfaceInput } from '../domain/align-face.ts'
import {
  cosineSimilarity,
  FACE_MATCH_THRESHOLD,
  normalized,
  roundedSimilarity,
} from '../domain/cosine-similarity.ts'
import { type DetectedFace, FACE_SCORE_COUNTED } from '../domain/face.ts'
import { type FaceQuality, measureFaceQuality } from '../domain/face-quality.ts'
import type { RgbImage } from '../domain/image.ts'
import { mostProminentFace } from '../domain/most-prominent-face.ts'
import {
  combineLiveness,
  LIVENESS_INPUT_SIDE,
  LIVENESS_MODELS,
  livenessInput,
} from '../domain/passive-liveness.ts'
import { decodeYunet, YUNET_STRIDES, yunetInput, yunetInputSize } from '../domain/yunet.ts'
import { BoundedQueue } from './bounded-queue.ts'
import { type DecodedImage, decodeImage, WORKING_SIDE } from './decode-image.ts'
import { ImageError, namingImage } from './image-error.ts'
import { LazyModel } from './lazy-model.ts'
import type { ModelSession, ResolveModel } from './model-session.ts'
import { ModelsUnavailableError } from './models-unavailable-error.ts'

/** Names in models.lock.json, the preferred file first. */
export const DETECTOR_MODELS = ['yunet_dynamic', 'yunet'] as const
export const RECOGNISER_MODELS = ['sface', 'sface_from_int8bq', 'sface_int8bq'] as const

/** Number of floats of an image at working size with three planes. */
const LARGEST_INPUT = 3 * WORKING_SIDE * WORKING_SIDE

/** A decoded image and its faces, best score first; boxes and landmarks in pixels of the decoded image. */
export type DetectedImage = {
  image: DecodedImage
  faces: DetectedFace[]
  /** The main face of the image; null without one. */
  prominent: DetectedFace | null
}

/** The embedding and quality of one face. */
export type EmbeddedFace = {
  /** A unit vector of 128 numbers. */
  embedding: Float32Array
  quality: FaceQuality
}

export type FaceComparison = {
  /** Cosine, −1 to 1, six decimals. */
  similarity: number
  match: boolean
  threshold: number
  faces: { a: number; b: number }
}

export type EngineOptions = {
  resolveModel: ResolveModel
  /** Threads per inference and per decoding. */
  threads?: number
  /** Images processed concurrently. */
  concurrency?: number
  /** Images that may wait; beyond that, UnavailableError. */
  queueLimit?: number
}

/** Name and version of the model files used, for a check's `engine`. */
export type EngineVersion = { name: string; version: string }

/**
 * Detects, embeds and compares faces and assesses liveness. Every call may throw ImageError, ModelsUnavailableError and
 * UnavailableError (queue full). Images are never retained after a call.
 */
export class FaceEngine {
  readonly #detector: LazyModel
  readonly #recogniser: LazyModel
  readonly #liveness: readonly { margin: number; model: LazyModel }[]
  readonly #queue: BoundedQueue
  /** Pool of free input buffers of the detector; at most as many as the concurrency. */
  readonly #inputs: Float32Array<ArrayBuffer>[] = []

  constructor(options: EngineOptions) {
    const threads = options.threads ?? 1
    const model = (names: readonly string[]) => new LazyModel(names, options.resolveModel, { threads })
    this.#detector = model(DETECTOR_MODELS)
    this.#recogniser = model(RECOGNISER_MODELS)
    this.#liveness = LIVENESS_MODELS.map(({ name, margin }) => ({ margin, model: model([name]) }))
    this.#queue = new BoundedQueue({
      concurrency: options.concurrency ?? 2,
      limit: options.queueLimit ?? 64,
    })
    sharp.concurrency(threads)
    // Each photo is decoded once, so a cache would only keep people's pictures in memory.
    sharp.cache(false)
  }

  /** Number of images being processed and waiting, for metrics. */
  get load(): { running: number; waiting: number } {
    return { running: this.#queue.running, waiting: this.#queue.waiting }
  }

  /** Decodes an image and detects its faces. An image without faces is not an error here. */
  detect(bytes: Buffer): Promise<DetectedImage> {
    return this.#queue.run(() => this.#detect(bytes))
  }

  /** As `detect`, for an image that is already decoded. */
  detectIn(image: DecodedImage): Promise<DetectedImage> {
    return this.#queue.run(() => this.#detectIn(image))
  }

  /** The most prominent face's embedding. Throws ImageError `no_face`. */
  embed(bytes: Buffer): Promise<EmbeddedFace & DetectedImage> {
    return this.#queue.run(async () => {
      const detected = await this.#detect(bytes)
      if (!detected.prominent) throw new ImageError('no_face')
      return { ...detected, ...(await this.#embed(detected.image, detected.prominent)) }
    })
  }

  /** The embedding of one face that is already detected. */
  embedFace(image: DecodedImage, face: DetectedFace): Promise<EmbeddedFace> {
    return this.#queue.run(() => this.#embed(image, face))
  }

  /** Compares the most prominent faces of two images. Errors name the image with `names`. */
  async compare(
    a: Buffer,
    b: Buffer,
    names: { a: string; b: string } = { a: 'image_a', b: 'image_b' },
  ): Promise<FaceComparison> {
    // Wait for both even if the first fails, so that no work is left in the queue.
    const [first, second] = await Promise.allSettled([
      namingImage(names.a, () => this.embed(a)),
      namingImage(names.b, () => this.embed(b)),
    ])
    if (first.status === 'rejected') throw first.reason
    if (second.status === 'rejected') throw second.reason
    const similarity = roundedSimilarity(cosineSimilarity(first.value.embedding, second.value.embedding))
    return {
      similarity,
      match: similarity >= FACE_MATCH_THRESHOLD,
      threshold: FACE_MATCH_THRESHOLD,
      faces: { a: first.value.faces.length, b: second.value.faces.length },
    }
  }

  /** Probability that the most prominent face is a live person in front of the camera. Throws ImageError `no_face`. */
  async liveness(bytes: Buffer): Promise<{ score: number } & DetectedImage> {
    const detected = await this.detect(bytes)
    if (!detected.prominent) throw new ImageError('no_face')
    return { score: await this.livenessOfFace(detected.image, detected.prominent), ...detected }
  }

  /** As `liveness`, for one face that is already detected. */
  livenessOfFace(image: RgbImage, face: DetectedFace): Promise<number> {
    return this.#queue.run(async () => {
      const outputs: Float32Array[] = []
      for (const { margin, model } of this.#liveness) {
        const session = await model.get()
        const input = livenessInput(image, face.box, margin)
        const output = await session.run(input, [1, 3, LIVENESS_INPUT_SIDE, LIVENESS_INPUT_SIDE])
        outputs.push(single(output))
      }
      return combineLiveness(outputs)
    })
  }

  /** Loads the models and runs each once, so that the first person does not wait. Returns the missing models' names. */
  async warmUp(): Promise<string[]> {
    const blank = { data: new Uint8Array(320 * 320 * 3), width: 320, height: 320 }
    const face = frontalFace(320)
    const steps = [
      async () => void (await this.#findFaces(blank)),
      async () => void (await this.#embed({ ...blank, scale: 1 }, face)),
      async () => void (await this.livenessOfFace(blank, face)),
    ]
    const missing: string[] = []
    for (const step of steps) {
      try {
        await step()
      } catch (error) {
        if (!(error instanceof ModelsUnavailableError)) throw error
        missing.push(...error.models)
      }
    }
    return missing
  }

  /** The engine of face matching, with model names and sums, so that a result can be traced to its weights. */
  async matchingEngine(): Promise<EngineVersion> {
    return versionOf('yunet-sface', [await this.#detector.get(), await this.#recogniser.get()])
  }

  /** The engine of liveness. */
  async livenessEngine(): Promise<EngineVersion> {
    const sessions = [await this.#detector.get()]
    for (const { model } of this.#liveness) sessions.push(await model.get())
    return versionOf('yunet-minifasnet', sessions)
  }

  /** Waits for running work, then releases the networks. */
  async close(): Promise<void> {
    await this.#queue.drained()
    for (const model of [this.#detector, this.#recogniser, ...this.#liveness.map(({ model }) => model)])
      await model.release()
  }

  async #detect(bytes: Buffer): Promise<DetectedImage> {
    return this.#detectIn(await decodeImage(bytes))
  }

  async #detectIn(image: DecodedImage): Promise<DetectedImage> {
    const faces = await this.#findFaces(image)
    return { image, faces, prominent: mostProminentFace(faces) }
  }

  async #findFaces(image: RgbImage): Promise<DetectedFace[]> {
    const session = await this.#detector.get()
    const { width, height } = detectorInputSize(session, image)
    const input = yunetInput(image, width, height, this.#inputs.pop() ?? new Float32Array(LARGEST_INPUT))
    const output = await session.run(input, [1, 3, height, width])
    this.#inputs.push(new Float32Array(input.buffer))
    const grids = YUNET_STRIDES.map((stride) => ({
      stride,
      cls: named(output, `cls_${stride}`),
      obj: named(output, `obj_${stride}`),
      bbox: named(output, `bbox_${stride}`),
      kps: named(output, `kps_${stride}`),
    }))
    return decodeYunet(grids, width, FACE_SCORE_COUNTED)
  }

  async #embed(image: RgbImage & { scale: number }, face: DetectedFace): Promise<EmbeddedFace> {
    const session = await this.#recogniser.get()
    const aligned = alignFace(image, face)
    if (!aligned) throw new ImageError('no_face')
    const output = await session.run(sfaceInput(aligned), [1, 3, ALIGNED_FACE_SIDE, ALIGNED_FACE_SIDE])
    return { embedding: normalized(single(output)), quality: measureFaceQuality(face, aligned, image.scale) }
  }
}

const named = (output: Record<string, Float32Array>, name: string): Float32Array => {
  const values = output[name]
  if (!values) throw new Error(`the detector has no output ${name}`)
  return values
}

const single = (output: Record<string, Float32Array>): Float32Array => {
  const [values] = Object.values(output)
  if (!values) throw new Error('the network has no output')
  return values
}

const versionOf = (name: string, sessions: readonly ModelSession[]): EngineVersion => ({
  name,
  version: sessions.map(({ version, sha256 }) => `${version}+${sha256.slice(0, 12)}`).join(' '),
})

/** The fixed model accepts only one size, and more padding reduces accuracy; the dynamic one adapts to the image. */
function detectorInputSize(session: ModelSession, image: RgbImage): { width: number; height: number } {
  const [, , height, width] = session.inputs[0]!.shape
  if (typeof height === 'number' && typeof width === 'number') return { width, height }
  return yunetInputSize(image.width, image.height)
}

/** A frontal face in a square image, as input for the warm-up run. */
function frontalFace(side: number): DetectedFace {
  const at = (x: number, y: number) => ({ x: side * x, y: side * y })
  return {
    box: { x: side * 0.25, y: side * 0.2, width: side * 0.5, height: side * 0.6 },
    landmarks: {
      right_eye: at(0.4, 0.4),
      left_eye: at(0.6, 0.4),
      nose_tip: at(0.5, 0.55),
      right_mouth_corner: at(0.42, 0.65),
      left_mouth_corner: at(0.58, 0.65),
    },
    score: 1,
  }
}
