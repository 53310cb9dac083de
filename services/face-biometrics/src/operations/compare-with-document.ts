import { type Check, toTimestamp } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { VaultIntegrityError, VaultObjectMissingError } from '@kyc/vault'
import { cosineSimilarity, roundedSimilarity } from '../domain/cosine-similarity.ts'
import { faceMatchCheck } from '../domain/face-match-check.ts'
import type { FaceQuality } from '../domain/face-quality.ts'
import { scopeOf } from '../domain/session-scope.ts'
import { annotateFaces } from '../engine/annotate-faces.ts'
import { cutFace } from '../engine/cut-face.ts'
import { detectUpright } from '../engine/detect-upright.ts'
import { ImageError } from '../engine/image-error.ts'
import { ModelsUnavailableError } from '../engine/models-unavailable-error.ts'
import type { Operations, Submitted } from './context.ts'

/** The face in one picture; `embedding` is null without one. */
type Seen = {
  faces: number
  embedding: Float32Array | null
  quality: FaceQuality | null
  /** Object ids of the picture with the faces marked and of the cropped face. */
  annotated: string | null
  portrait: string | null
  /** False if the stored picture is damaged or missing. */
  readable: boolean
}
const nothing: Seen = {
  faces: 0,
  embedding: null,
  quality: null,
  annotated: null,
  portrait: null,
  readable: true,
}
const unreadable: Seen = { ...nothing, readable: false }

/**
 * Compares the document's portrait with the best frame. Returns the check, and the frame's embedding for the search
 * for duplicates; null without one.
 */
export async function compareWithDocument(
  operations: Operations,
  submitted: Submitted,
  bestFrame: string | null,
): Promise<{ check: Check; selfie: Float32Array | null }> {
  const startedAt = toTimestamp(operations.clock.now())
  const { threshold, review_below } = submitted.config.steps.face_match
  const front = submitted.evidence.find(({ kind }) => kind === 'document_front')?.object_id ?? null
  const frames = submitted.evidence.filter(({ kind }) => kind === 'liveness_frame')
  // An attempt made after the submitted one does not count.
  const frame = frames.find(({ object_id }) => object_id === bestFrame) ?? frames[0]

  const finish = (document: Seen, selfie: Seen, engine: Check['engine'], modelsMissing = false) => {
    const comparable = document.embedding && selfie.embedding
    const obstacle = modelsMissing
      ? ('face_models_unavailable' as const)
      : !document.readable || !selfie.readable
        ? ('evidence_unreadable' as const)
        : !document.embedding
          ? ('document_face_missing' as const)
          : ('selfie_face_missing' as const)
    const check = faceMatchCheck({
      threshold,
      review_below,
      similarity: comparable
        ? roundedSimilarity(cosineSimilarity(document.embedding!, selfie.embedding!))
        : null,
      obstacle: comparable ? null : obstacle,
      source_image: front && 'document_front',
      faces: { document: document.faces, selfie: selfie.faces },
      quality: { document: document.quality, selfie: selfie.quality },
      annotated: { document: document.annotated, selfie: selfie.annotated },
      portraits: { document: document.portrait, selfie: selfie.portrait },
      started_at: startedAt,
      completed_at: toTimestamp(operations.clock.now()),
      engine,
    })
    return { check, selfie: selfie.embedding }
  }
  try {
    const engine = await operations.engine.matchingEngine()
    const selfie = frame ? await look(operations, submitted, frame.object_id, 'as it is') : nothing
    const document = front ? await look(operations, submitted, front, 'any way up') : nothing
    return finish(document, selfie, engine)
  } catch (error) {
    if (!(error instanceof ModelsUnavailableError)) throw error
    return finish(nothing, nothing, null, true)
  }
}

async function look(
  operations: Operations,
  submitted: Submitted,
  objectId: string,
  lying: 'as it is' | 'any way up',
): Promise<Seen> {
  const { engine, vault } = operations
  const scope = scopeOf(submitted)
  try {
    const bytes = await vault.get(scope, objectId)
    const detected =
      lying === 'any way up'
        ? await detectUpright(engine, bytes)
        : { ...(await engine.detect(bytes)), quarterTurns: 0 as const }
    const { image, faces, prominent, quarterTurns } = detected
    if (!prominent) return nothing
    const { embedding, quality } = await engine.embedFace(image, prominent)
    const annotated = await keep(operations, submitted, await annotateFaces(image, faces, prominent))
    const cut = await cutFace(bytes, { box: prominent.box, scale: image.scale, quarterTurns })
    const portrait = await keep(operations, submitted, cut)
    return { faces: faces.length, embedding, quality, annotated, portrait, readable: true }
  } catch (error) {
    if (error instanceof ImageError) return nothing
    if (error instanceof VaultIntegrityError || error instanceof VaultObjectMissingError) return unreadable
    throw error
  }
}

/** Stores a picture with the evidence under the session's key, so that a purge includes it. */
async function keep({ vault }: Operations, submitted: Submitted, jpeg: Buffer): Promise<string> {
  const objectId = newId('object')
  await vault.put(scopeOf(submitted), objectId, jpeg, { contentType: 'image/jpeg' })
  return objectId
}
