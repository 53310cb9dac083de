import { conflict, type DecisionReason, notFound, type Review, toTimestamp } from '@kyc/common'
import { insertReview } from '../store/reviews.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { findSession } from '../store/sessions.ts'
import { type Actor, recordAudit } from './audit.ts'
import { type Operations, scopeOf } from './context.ts'
import { noteContext, presentDecision } from './present-decision.ts'
import { settleClock } from './settle-clock.ts'
import { moved, writeMove, wrongStatus } from './transition.ts'

/** Decides a session in review, for a console user or an API client. */
export async function decideSession(
  operations: Operations,
  request: {
    app_id: string
    session_id: string
    status: 'approved' | 'declined'
    note: string | null
    /** Null if the decision was made with an API key. */
    reviewed_by: string | null
    api_key_id: string | null
    /** The reviewer's reason code and IP address; set for console users only. */
    reason?: DecisionReason | null
    ip?: string | null
    /** The sequence that the reviewer saw. The decision fails if the session has changed since. */
    sequence?: number
  },
): Promise<{ session: SessionRecord; review: Review }> {
  const found = await findSession(operations.database, request.app_id, request.session_id)
  if (!found) throw notFound('session')
  const session = await settleClock(operations, found)
  if (session.status !== 'in_review') throw wrongStatus(session.status)
  if (request.sequence !== undefined && request.sequence !== session.sequence)
    throw conflict('The session has changed since it was opened.')

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
  const actor: Actor =
    request.reviewed_by === null
      ? { type: 'api_key', id: request.api_key_id }
      : { type: 'user', id: request.reviewed_by }
  const reason = request.reason ?? null
  await database.transaction(async (tx) => {
    await writeMove(operations, tx, session, after, decision, undefined, actor)
    await insertReview(tx, {
      session_id: session.session_id,
      sequence: after.sequence,
      status: request.status,
      reason,
      reviewed_by: request.reviewed_by,
      api_key_id: request.api_key_id,
      reviewed_at: after.updated_at,
      sealed_note: sealedNote,
    })
    const details = { status: request.status, ...(reason ? { reason } : {}) }
    await recordAudit(operations, tx, session, actor, 'session.reviewed', details, request.ip)
  })
  return { session: after, review }
}
