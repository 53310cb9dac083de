import { conflict, type assignSession as contract } from '@kyc/common'
import type { z } from 'zod'
import { assign } from '../store/assignments.ts'
import { insertEvent } from '../store/session-events.ts'
import { findSession } from '../store/sessions.ts'
import { actorOf, recordAudit } from './audit.ts'
import type { Operations } from './context.ts'
import { findInReview } from './find-current.ts'
import { heldUntil, presentAssignment } from './hold.ts'
import { orWhoWasFirst } from './lost-change.ts'

type Request = z.output<typeof contract.request>
type Answer = z.input<typeof contract.response>

/**
 * Assigns a session in review to a user or to nobody. If it is assigned to someone else, this fails unless it is a
 * takeover.
 */
export async function assignSession(operations: Operations, request: Request): Promise<Answer> {
  const { database, clock } = operations
  return orWhoWasFirst(operations, request, async () => {
    const session = await findInReview(operations, request)
    const now = clock.now()
    await database.transaction(async (tx) => {
      const given = await assign(tx, request, {
        user_id: request.user_id,
        by: request.by.user_id,
        now,
        held_until: heldUntil(now),
        take_over: request.take_over,
      })
      if (!given) throw conflict('The session is held by someone else.')
      // An unchanged assignee is not an event.
      if (session.assignee_id === request.user_id) return
      const actor = actorOf(request.by)
      const kind = request.user_id === null ? 'released' : 'assigned'
      const details = { user_id: request.user_id }
      await insertEvent(tx, session, { kind, actor, details, at: now })
      await recordAudit(operations, tx, session, actor, `session.${kind}`, details, request.by.ip)
    })
    const after = (await findSession(database, request.app_id, request.session_id)) ?? session
    return { outcome: 'done' as const, assignment: presentAssignment(after) }
  })
}
