import { PublicError } from '@kyc/common'
import type { SessionRecord } from '../store/session-record.ts'
import { findSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { decideOverdue } from './record-check.ts'
import { type Move, moveSimply } from './transition.ts'

/** What the clock wants of a session now; null when its time has not come. */
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

/** Applies a transition whose time has come, so that a read never shows a status the clock has ended. */
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
    // Another replica, or the person, was first: what they made of it is what counts.
    if (!(error instanceof PublicError && error.code === 'conflict')) throw error
  }
  return (await findSession(operations.database, session.app_id, session.session_id)) ?? session
}
