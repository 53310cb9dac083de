import type { takeNextInReview } from '@kyc/common'
import type { z } from 'zod'
import { assignOldestFree } from '../store/assignments.ts'
import { insertEvent } from '../store/session-events.ts'
import { findSession } from '../store/sessions.ts'
import { actorOf, recordAudit } from './audit.ts'
import type { Operations } from './context.ts'
import { heldUntil } from './hold.ts'

type Request = z.output<typeof takeNextInReview.request>

/** Assigns the longest waiting session without a valid assignment to the user; null if there is none. */
export async function takeNext(
  operations: Operations,
  { app_id, by, reason, workflow_id }: Request,
): Promise<{ session_id: string | null }> {
  const now = operations.clock.now()
  const taken = await operations.database.transaction(async (tx) => {
    const to = { user_id: by.user_id, now, held_until: heldUntil(now) }
    const sessionId = await assignOldestFree(tx, app_id, { reason, workflow_id }, to)
    const session = sessionId && (await findSession(tx, app_id, sessionId))
    if (!session) return null
    const details = { user_id: by.user_id }
    await insertEvent(tx, session, { kind: 'assigned', actor: actorOf(by), details, at: now })
    await recordAudit(operations, tx, session, actorOf(by), 'session.assigned', details, by.ip)
    return session.session_id
  })
  return { session_id: taken }
}
