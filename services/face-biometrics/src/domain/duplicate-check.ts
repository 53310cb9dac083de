import { type Action, type Check, type Engine, type Warning, warningOf } from '@kyc/common'

export type FaceMatch = { session_id: string; similarity: number; status: string }

export type DuplicateInput = {
  action: Action
  /** At or above this similarity, two sessions count as the same person. */
  threshold: number
  /** Other sessions of the app at or above `possibleDuplicateFloor(threshold)`, nearest first. */
  matches: readonly FaceMatch[]
  /** Similarity to the nearest blocked face at or above the threshold; null without one. */
  blocked: number | null
  /** Null if the face could not be evaluated; the check is then an error. */
  engine: Engine | null
  started_at: string
  completed_at: string
}

/** How far below the threshold a similarity is still reported as a possible duplicate. */
const POSSIBLE_MARGIN = 0.08
/** Below this, large galleries report strangers: among many thousands of faces, some pairs come near 0.4. */
const POSSIBLE_MINIMUM = 0.42

/** At or above this similarity, another session is reported as a possible duplicate. */
export const possibleDuplicateFloor = (threshold: number): number =>
  Math.min(threshold, Math.max(POSSIBLE_MINIMUM, threshold - POSSIBLE_MARGIN))

function warningsOf({ matches, threshold, blocked }: DuplicateInput): Warning[] {
  const warnings: Warning[] = []
  if (blocked !== null)
    warnings.push(warningOf('duplicate', 'face_blocklisted', 'The face is on the block list.'))
  if (matches.some(({ similarity }) => similarity >= threshold))
    warnings.push(warningOf('duplicate', 'duplicate_face', 'The face was seen in another session.'))
  else if (matches.length > 0)
    warnings.push(
      warningOf('duplicate', 'possible_duplicate_face', 'A similar face was seen in another session.'),
    )
  return warnings
}

/** The workflow's action determines the result of a duplicate; a blocked face always fails. */
function statusFor(warnings: readonly Warning[], action: Action): 'passed' | 'warning' | 'failed' {
  if (warnings.some(({ code }) => code === 'face_blocklisted')) return 'failed'
  if (warnings.length === 0 || action === 'none') return 'passed'
  return action === 'decline' && warnings.some(({ code }) => code === 'duplicate_face') ? 'failed' : 'warning'
}

/** The face's part of the `duplicate` check. */
export function faceDuplicateCheck(input: DuplicateInput): Check {
  const warnings = warningsOf(input)
  return {
    kind: 'duplicate',
    status: input.engine ? statusFor(warnings, input.action) : 'error',
    score: input.engine ? (input.matches[0]?.similarity ?? 0) : null,
    data: { document_matches: [], face_matches: input.matches },
    warnings,
    attempts: 1,
    started_at: input.started_at,
    completed_at: input.completed_at,
    engine: input.engine,
  }
}
