import { conflict, notFound } from '@kyc/common'
import type { SessionRecord } from '../store/session-record.ts'
import { findSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { settleClock } from './settle-clock.ts'
import { wrongStatus } from './transition.ts'

type Ids = { app_id: string; session_id: string }

/** The session with due transitions applied; `not_found` if it belongs to another app. */
export async function findCurrent(
  operations: Operations,
  { app_id, session_id }: Ids,
): Promise<SessionRecord> {
  const found = await findSession(operations.database, app_id, session_id)
  if (!found) throw notFound('session')
  return settleClock(operations, found)
}

/** Like `findCurrent`, but only for a session in review; `conflict` in any other status. */
export async function findInReview(operations: Operations, ids: Ids): Promise<SessionRecord> {
  const session = await findCurrent(operations, ids)
  if (session.status !== 'in_review') throw wrongStatus(session.status)
  return session
}

/** Like `findCurrent`, but `conflict` if the session was purged. */
export async function findUnpurged(operations: Operations, ids: Ids): Promise<SessionRecord> {
  const session = await findCurrent(operations, ids)
  if (session.purged_at) throw conflict('The session was purged.')
  return session
}
