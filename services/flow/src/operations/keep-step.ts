import { type FlowSession, flowProgressed, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { StepRecord } from '../domain/progress.ts'
import { writeStep } from '../store/steps.ts'
import { type Operations, scopeOf } from './context.ts'

/** Writes a step in the caller's transaction. Publishes an event if this completes it, for timeline and funnel. */
export async function keepStep(
  operations: Operations,
  tx: Sql,
  session: FlowSession,
  seen: StepRecord | undefined,
  next: Parameters<typeof writeStep>[3],
  at: Date,
): Promise<void> {
  await writeStep(tx, session, seen, next, at)
  if (next.status !== 'completed') return
  await operations.outbox.append(
    tx,
    flowProgressed,
    {
      ...scopeOf(session),
      round: session.round,
      kind: 'step_completed',
      name: next.step,
      attempts_used: next.attempts_used,
      occurred_at: toTimestamp(at),
    },
    { orderingKey: session.session_id },
  )
}
