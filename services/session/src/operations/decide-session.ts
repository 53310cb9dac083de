import { notFound, type Review, toTimestamp } from '@kyc/common'
import { insertReview } from '../store/reviews.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { findSession } from '../store/sessions.ts'
import { type Actor, recordAudit } from './audit.ts'
import { type Operations, scopeOf } from './context.ts'
import { noteContext, presentDecision } from './present-decision.ts'
import { settleClock } from './settle-clock.ts'
import { moved, writeMove, wrongStatus } from './transition.ts'

/** A person's or a client's decision on a session in review. */
export async function decideSession(
  operations: Operations,
  request: {
    app_id: string
    session_id: string
    status: 'approved' | 'declined'
    note: string | null
    /** Null when the decision was made with an API key. */
    reviewed_by: string | null
    api_key_id: string | null
  },
): Promise<{ session: SessionRecord; review: Review }> {
  const found = await findSession(operations.database, request.app_id, request.session_id)
  if (!found) throw notFound('session')
  const session = await settleClock(operations, found)
  if (session.status !== 'in_review') throw wrongStatus(session.status)

  const after = moved(operations, session, {
    trigger: 'reviewed',
    to: request.status,
    decision_reason: request.status === 'declined' ? 'manual_review_declined' : null,
  })
  const review: Review = {
    reviewed_by: request.reviewed_by,
    reviewed_at: toTimestamp(after.updated_at),
    note: request.note,
  }
  const { vault, database } = operations
  const decision = await presentDecision({ vault, sql: database }, after, { review })
  const sealedNote =
    request.note === null ? null : await vault.seal(scopeOf(session), noteContext, request.note)
  await database.transaction(async (tx) => {
    await writeMove(operations, tx, session, after, decision)
    await insertReview(tx, {
      session_id: session.session_id,
      sequence: after.sequence,
      status: request.status,
      reviewed_by: request.reviewed_by,
      api_key_id: request.api_key_id,
      reviewed_at: after.updated_at,
      sealed_note: sealedNote,
    })
    const actor: Actor =
      request.reviewed_by === null
        ? { type: 'api_key', id: request.api_key_id }
        : { type: 'user', id: request.reviewed_by }
    await recordAudit(operations, tx, session, actor, 'session.reviewed', { status: request.status })
  })
  return { session: after, review }
}
