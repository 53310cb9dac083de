import type { Sql } from '@kyc/runtime'
import { type CheckRow, findChecks, replaceCheck } from '../store/checks.ts'
import { lockSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { keepWarnings } from './keep-warnings.ts'
import { presentDecision } from './present-decision.ts'
import type { CheckCompleted } from './record-check.ts'
import { moved, writeMove } from './transition.ts'

/**
 * A list update produced a match for an approved person. The `aml` check is replaced, and the session returns to
 * review once. A session already in review only gets the new check; in any other status the result is ignored.
 */
export async function recordMonitoringMatch(
  operations: Operations,
  tx: Sql,
  message: CheckCompleted,
  row: CheckRow,
  traceparent: string | undefined,
): Promise<void> {
  const session = await lockSession(tx, message.app_id, message.session_id)
  if (!session || session.purged_at || message.round !== session.round) return
  if (!session.config.steps.aml.enabled || !session.config.steps.aml.monitor) return
  if (session.status !== 'approved' && session.status !== 'in_review') return
  if (!(await replaceCheck(tx, row))) return
  const checks = await findChecks(tx, session.session_id)
  const set = await keepWarnings(tx, session, checks)
  if (session.status === 'in_review') return
  const after = moved(operations, session, {
    trigger: 'monitoring_match',
    to: 'in_review',
    decision_reason: 'aml_potential_match',
    set,
  })
  const decision = await presentDecision({ vault: operations.vault, sql: tx }, after, { checks })
  await writeMove(operations, tx, session, after, decision, traceparent)
}
