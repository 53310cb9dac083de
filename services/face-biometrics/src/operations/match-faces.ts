import { badRequest, type FaceMatchAnswer, unprocessable } from '@kyc/common'
import type { FaceEngine } from '../engine/face-engine.ts'
import { ImageError, type ImageFault } from '../engine/image-error.ts'
import { ModelsUnavailableError } from '../engine/models-unavailable-error.ts'

/** Faults of valid pictures that cannot be compared; all other faults are validation errors. */
const understood: ReadonlySet<ImageFault> = new Set(['no_face', 'too_small'])

/** Compares two uploaded pictures and stores nothing. */
export async function matchFaces(
  engine: FaceEngine,
  imageA: Buffer,
  imageB: Buffer,
): Promise<FaceMatchAnswer> {
  try {
    return await engine.compare(imageA, imageB, { a: 'image_a', b: 'image_b' })
  } catch (error) {
    if (error instanceof ModelsUnavailableError) throw unprocessable('The face models are unavailable.')
    if (!(error instanceof ImageError)) throw error
    throw understood.has(error.fault) ? unprocessable(error.message) : badRequest(error.message)
  }
}
