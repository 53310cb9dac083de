import {
  conflict,
  type Decision,
  type DecisionReason,
  type EventActor,
  finalStatuses,
  isAllowed,
  type SessionStatus,
  type SessionTrigger,
  sealContexts,
  sessionStatusChanged,
  toTimestamp,
} from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { dueAt } from '../domain/schedule.ts'
import { summarizeWarnings } from '../store/search-index.ts'
import type { EventDetails } from '../store/session-events.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { moveSession, type TransitionColumns } from '../store/sessions.ts'
import { type Operations, scopeOf } from './context.ts'
import { writeReceipt } from './write-receipt.ts'

export type Move = {
  trigger: SessionTrigger
  to: SessionStatus
  decision_reason: DecisionReason | null
  set?: TransitionColumns
}

/** Timestamps set by a transition: `completed_at` on leaving processing, expiring or being abandoned. */
function timesOf(session: SessionRecord, move: Move, now: Date): TransitionColumns {
  const completes = ['decided', 'expired', 'abandoned', 'consent_refused'].includes(move.trigger)
  const ends = ['purged', 'ledger_replayed'].includes(move.trigger) && session.completed_at === null
  return {
    ...(move.trigger === 'started' ? { started_at: now, last_activity_at: now } : {}),
    ...(move.trigger === 'submitted' ? { submitted_at: now } : {}),
    ...(completes || ends ? { completed_at: now } : {}),
  }
}

/** The session as it will be after the transition; nothing is written. */
export function moved(operations: Operations, session: SessionRecord, move: Move): SessionRecord {
  if (!isAllowed(session.status, move.trigger, move.to)) throw wrongStatus(session.status)
  const now = operations.clock.now()
  const next: SessionRecord = {
    ...session,
    ...timesOf(session, move, now),
    ...move.set,
    status: move.to,
    decision_reason: move.decision_reason,
    sequence: session.sequence + 1,
    updated_at: now,
  }
  next.due_at = dueAt(next.status, next, {
    abandon_after_minutes: session.config.abandon_after_minutes,
    processing_deadline_ms: operations.config.PROCESSING_DEADLINE_SECONDS * 1000,
  })
  return next
}

/**
 * Writes a transition and its event in the caller's transaction. If the session changed since it was read, throws
 * `conflict`. `decision` is required for the statuses whose webhook carries one.
 */
export async function writeMove(
  operations: Operations,
  tx: Sql,
  before: SessionRecord,
  after: SessionRecord,
  decision: Decision | null,
  traceparent?: string,
  by: EventActor = moverOf(before, after),
): Promise<void> {
  const { status, decision_reason, updated_at: at } = after
  const { started_at, submitted_at, completed_at, due_at, last_activity_at, round, expires_at, purged_at } =
    after
  const { warning_count, worst_severity } = after
  const set = {
    started_at,
    submitted_at,
    completed_at,
    due_at,
    last_activity_at,
    round,
    expires_at,
    purged_at,
    warning_count,
    worst_severity,
  }
  const details = courseOf(before, after, decision)
  if (!(await moveSession(tx, before, { status, decision_reason, at, set, by, details }))) {
    throw conflict('The session was changed at the same moment by someone else.')
  }
  const carries = finalStatuses.includes(status) && decision !== null
  if (carries) await writeReceipt(operations, tx, after, decision)
  const sealed = carries ? await operations.vault.seal(scopeOf(after), sealContexts.decision, decision) : null
  await operations.outbox.append(
    tx,
    sessionStatusChanged,
    {
      ...scopeOf(after),
      sequence: after.sequence,
      status,
      previous_status: before.status,
      decision_reason,
      vendor_data: after.vendor_data,
      workflow_id: after.workflow_id,
      sealed_decision: sealed?.toString('base64') ?? null,
      occurred_at: toTimestamp(at),
    },
    { orderingKey: after.session_id, ...(traceparent ? { traceparent } : {}) },
  )
  operations.measures.moves.inc({ status, reason: decision_reason ?? '' })
  if (before.status === 'processing' && submitted_at) {
    // Clamp to 0, in case the clock was set back.
    operations.measures.decisions.observe(Math.max(0, at.getTime() - submitted_at.getTime()) / 1000)
  }
}

/** The actor of a transition that neither a reviewer nor a client makes. */
const moverOf = (before: SessionRecord, after: SessionRecord): EventActor => {
  const byPerson =
    after.status === 'in_progress' ||
    after.status === 'processing' ||
    after.decision_reason === 'consent_declined'
  return { type: byPerson && before.status !== 'processing' ? 'end_user' : 'system', id: null }
}

/** Details of a transition for the timeline and analytics: how long the previous status lasted, and the warnings. */
function courseOf(before: SessionRecord, after: SessionRecord, decision: Decision | null): EventDetails {
  const decided = before.status === 'processing' && decision !== null
  return {
    from: before.status,
    to: after.status,
    reason: after.decision_reason,
    round: before.round,
    seconds: Math.max(0, Math.round((after.updated_at.getTime() - before.updated_at.getTime()) / 1000)),
    ...(decided ? { warnings: summarizeWarnings(decision.checks).codes.join(',') } : {}),
  }
}

/** Transitions a session to a status whose webhook carries no decision. */
export async function moveSimply(
  operations: Operations,
  session: SessionRecord,
  move: Move,
): Promise<SessionRecord> {
  const after = moved(operations, session, move)
  await operations.database.transaction((tx) => writeMove(operations, tx, session, after, null))
  return after
}

export const wrongStatus = (status: SessionStatus) => conflict(`The session is ${status}.`)
