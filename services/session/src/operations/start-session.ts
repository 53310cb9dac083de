import { notFound, type SessionStatus } from '@kyc/common'
import { findSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { settleClock } from './settle-clock.ts'
import { moveSimply } from './transition.ts'

/** Records that the person started. Idempotent: the response is the current status. */
export async function startSession(
  operations: Operations,
  request: { app_id: string; session_id: string },
): Promise<{ status: SessionStatus }> {
  const found = await findSession(operations.database, request.app_id, request.session_id)
  if (!found) throw notFound('session')
  const session = await settleClock(operations, found)
  if (session.status !== 'not_started') return { status: session.status }
  const started = await moveSimply(operations, session, {
    trigger: 'started',
    to: 'in_progress',
    decision_reason: null,
  })
  return { status: started.status }
}
