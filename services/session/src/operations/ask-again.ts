import { type askForAnotherTry, conflict } from '@kyc/common'
import type { z } from 'zod'
import { insertReview } from '../store/reviews.ts'
import { actorOf, recordAudit } from './audit.ts'
import { type Operations, scopeOf } from './context.ts'
import { findInReview } from './find-current.ts'
import { orWhoWasFirst } from './lost-change.ts'
import { noteContext } from './present-decision.ts'
import { openNote } from './review-session.ts'
import { moved, writeMove } from './transition.ts'

type Request = z.output<typeof askForAnotherTry.request>
type Answer = z.input<typeof askForAnotherTry.response>

/** The person gets at least this long for the new round, regardless of the age of the link. */
const graceMs = 72 * 3_600_000

/**
 * Requests resubmission (in_review to in_progress): a new round of every step under the same link. Evidence of the
 * earlier round is retained; its checks no longer count.
 */
export async function askAgain(operations: Operations, request: Request): Promise<Answer> {
  const { vault, database, clock } = operations
  return orWhoWasFirst(operations, request, async () => {
    const session = await findInReview(operations, request)
    if (session.sequence !== request.sequence) throw conflict('The session has changed since it was opened.')
    const now = clock.now()
    const after = moved(operations, session, {
      trigger: 'resubmission_requested',
      to: 'in_progress',
      decision_reason: 'resubmission_requested',
      set: {
        round: session.round + 1,
        submitted_at: null,
        completed_at: null,
        last_activity_at: now,
        expires_at: new Date(Math.max(session.expires_at.getTime(), now.getTime() + graceMs)),
      },
    })
    const note = await openNote(operations, request, request.sealed_note)
    const sealedNote = note === null ? null : await vault.seal(scopeOf(session), noteContext, note)
    const actor = actorOf(request.by)
    await database.transaction(async (tx) => {
      await writeMove(operations, tx, session, after, null, undefined, actor)
      await insertReview(tx, {
        session_id: session.session_id,
        sequence: after.sequence,
        status: 'in_progress',
        reason: 'resubmission_requested',
        reviewed_by: request.by.user_id,
        api_key_id: null,
        reviewed_at: now,
        sealed_note: sealedNote,
      })
      const details = { round: after.round }
      await recordAudit(
        operations,
        tx,
        session,
        actor,
        'session.resubmission_requested',
        details,
        request.by.ip,
      )
    })
    return { outcome: 'done' as const }
  })
}
