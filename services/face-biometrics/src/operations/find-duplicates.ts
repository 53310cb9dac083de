import { type Check, toTimestamp } from '@kyc/common'
import { faceDuplicateCheck, possibleDuplicateFloor } from '../domain/duplicate-check.ts'
import type { Operations, Submitted } from './context.ts'

/** Searches the app's other sessions and its block list for the face. Without a face, the check is an error. */
export async function findDuplicates(
  operations: Operations,
  submitted: Submitted,
  embedding: Float32Array | null,
): Promise<Check> {
  const { gallery, clock, engine } = operations
  const started_at = toTimestamp(clock.now())
  const { face_action: action, face_threshold: threshold } = submitted.config.steps.duplicate
  const { app_id, session_id, vendor_data } = submitted
  const matches = embedding
    ? await gallery.search({ app_id, session_id, vendor_data, embedding }, possibleDuplicateFloor(threshold))
    : []
  return faceDuplicateCheck({
    action,
    threshold,
    matches,
    blocked: embedding && (await gallery.nearestBlocked(app_id, embedding, threshold)),
    engine: embedding && (await engine.matchingEngine()),
    started_at,
    completed_at: toTimestamp(clock.now()),
  })
}
