import { PublicError, type reviewSession, toTimestamp } from '@kyc/common'
import type { z } from 'zod'
import { findReviews, type ReviewRow } from '../store/reviews.ts'
import { findSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { presentAssignment } from './hold.ts'

export type Lost = Extract<z.input<typeof reviewSession.response>, { outcome: 'conflict' }>

export const presentReviewRecord = (row: ReviewRow) => ({
  status: row.status,
  reason: row.reason,
  actor:
    row.reviewed_by === null
      ? { type: 'api_key' as const, id: row.api_key_id }
      : { type: 'user' as const, id: row.reviewed_by },
  at: toTimestamp(row.reviewed_at),
})

/**
 * Runs a change of a session. On a conflict, returns who made the other change, when and what it was, because the
 * reviewer must see that instead of a plain error.
 */
export async function orWhoWasFirst<T extends { outcome: 'done' }>(
  operations: Operations,
  scope: { app_id: string; session_id: string },
  change: () => Promise<T>,
): Promise<T | Lost> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof PublicError && error.code === 'conflict')) throw error
    const session = await findSession(operations.database, scope.app_id, scope.session_id)
    if (!session) throw error
    const last = (await findReviews(operations.database, session.session_id)).at(-1)
    return {
      outcome: 'conflict',
      status: session.status,
      review: last ? presentReviewRecord(last) : null,
      assignment: presentAssignment(session),
    }
  }
}
