import { PublicError } from '@kyc/common'
import type { SessionRecord } from '../store/session-record.ts'
import { findSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { decideOverdue } from './record-check.ts'
import { type Move, moveSimply } from './transition.ts'

/** The time-based transition that is due now; null if there is none. */
function clockMove(session: SessionRecord, now: Date): Move | null {
  if (!session.due_at || session.due_at > now) return null
  if (session.status === 'not_started') {
    return { trigger: 'expired', to: 'expired', decision_reason: 'session_expired' }
  }
  if (session.status === 'in_progress') {
    return { trigger: 'abandoned', to: 'abandoned', decision_reason: 'session_abandoned' }
  }
  return null
}

/** Applies a transition that is due, so that a read never returns an expired status. */
export async function settleClock(operations: Operations, session: SessionRecord): Promise<SessionRecord> {
  const now = operations.clock.now()
  try {
    if (session.status === 'processing' && session.due_at && session.due_at <= now) {
      await decideOverdue(operations, session)
    } else {
      const move = clockMove(session, now)
      if (!move) return session
      await moveSimply(operations, session, move)
    }
  } catch (error) {
    // Conflict: another replica or the person changed the session first, and that change wins.
    if (!(error instanceof PublicError && error.code === 'conflict')) throw error
  }
  return (await findSession(operations.database, session.app_id, session.session_id)) ?? session
}
