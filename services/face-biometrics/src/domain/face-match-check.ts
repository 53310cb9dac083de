import { type Check, type Engine, statusOf, type Warning, warningOf } from '@kyc/common'
import type { FaceQuality } from './face-quality.ts'

/** Why no comparison is possible. */
export type FaceMatchObstacle =
  | 'document_face_missing'
  | 'selfie_face_missing'
  | 'face_models_unavailable'
  /** A stored picture is damaged or missing, which says nothing about the person. */
  | 'evidence_unreadable'

export type FaceMatchInput = {
  threshold: number
  /** Similarities from `threshold` up to this value go to a reviewer. */
  review_below: number
  /** Cosine similarity; null if no comparison was possible. */
  similarity: number | null
  obstacle: FaceMatchObstacle | null
  source_image: string | null
  /** Number of faces in each picture. */
  faces: { document: number; selfie: number }
  quality: { document: FaceQuality | null; selfie: FaceQuality | null }
  /** Vault object ids of the pictures with the faces marked, for reviewers. */
  annotated: { document: string | null; selfie: string | null }
  /** Vault object ids of the cropped faces, for comparison side by side. */
  portraits: { document: string | null; selfie: string | null }
  started_at: string
  completed_at: string
  engine: Engine | null
}

function warningsOf({ similarity, threshold, review_below, obstacle }: FaceMatchInput): Warning[] {
  if (obstacle === 'document_face_missing')
    return [warningOf('face_match', 'document_face_missing', 'No portrait was found on the document.')]
  if (obstacle === 'face_models_unavailable')
    return [warningOf('face_match', 'face_models_unavailable', 'The face models are not installed.')]
  if (similarity === null) return []
  if (similarity < threshold)
    return [warningOf('face_match', 'face_mismatch', 'The face is not that of the document.')]
  if (similarity < review_below)
    return [warningOf('face_match', 'face_match_borderline', 'The faces are alike, but not clearly.')]
  return []
}

/** The `face_match` check: the document's portrait against the best frame. An error if it could not run. */
export function faceMatchCheck(input: FaceMatchInput): Check {
  const warnings = warningsOf(input)
  const ran = input.similarity !== null || input.obstacle === 'document_face_missing'
  return {
    kind: 'face_match',
    status: ran ? statusOf(warnings) : 'error',
    score: input.similarity,
    data: {
      similarity: input.similarity,
      threshold: input.threshold,
      source_image: input.source_image,
      faces: input.faces,
      quality: input.quality,
      annotated: input.annotated,
      portraits: input.portraits,
      ...(input.obstacle ? { obstacle: input.obstacle } : {}),
    },
    warnings,
    attempts: 1,
    started_at: input.started_at,
    completed_at: input.completed_at,
    engine: input.engine,
  }
}
