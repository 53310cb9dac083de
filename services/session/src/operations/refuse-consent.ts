import { notFound, type SessionStatus } from '@kyc/common'
import { findSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { presentDecision } from './present-decision.ts'
import { moved, writeMove, wrongStatus } from './transition.ts'

/** The person refused consent, so nothing may be processed and the session is declined. */
export async function refuseConsent(
  operations: Operations,
  request: { app_id: string; session_id: string },
): Promise<{ status: SessionStatus }> {
  const { database, vault } = operations
  const session = await findSession(database, request.app_id, request.session_id)
  if (!session) throw notFound('session')
  if (session.status !== 'in_progress') throw wrongStatus(session.status)
  const after = moved(operations, session, {
    trigger: 'consent_refused',
    to: 'declined',
    decision_reason: 'consent_declined',
  })
  const decision = await presentDecision({ vault, sql: database }, after)
  await database.transaction((tx) => writeMove(operations, tx, session, after, decision))
  return { status: after.status }
}
