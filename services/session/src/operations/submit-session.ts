import {
  check,
  type submitSession as contract,
  notFound,
  type SessionStatus,
  sealContexts,
  sessionSubmitted,
  toTimestamp,
} from '@kyc/common'
import type { z } from 'zod'
import { upsertCheck } from '../store/checks.ts'
import { lockSession } from '../store/sessions.ts'
import { insertSubmission, type Submission } from '../store/submissions.ts'
import { type Operations, scopeOf } from './context.ts'
import { checkRow, decideWhenComplete } from './record-check.ts'
import { moved, writeMove, wrongStatus } from './transition.ts'

/** Records the submission: stores the checks that the flow performed and publishes the event for the other checkers. */
export async function submitSession(
  operations: Operations,
  request: z.output<typeof contract.request>,
  traceparent?: string,
): Promise<{ status: SessionStatus }> {
  const scope = scopeOf(request)
  const flowChecks = await Promise.all(
    request.sealed_checks.map(async ({ sealed_check }) => {
      const bytes = Buffer.from(sealed_check, 'base64')
      return { bytes, check: check.parse(await operations.vault.open(scope, sealContexts.check_data, bytes)) }
    }),
  )
  return operations.database.transaction(async (tx) => {
    const session = await lockSession(tx, request.app_id, request.session_id)
    if (!session) throw notFound('session')
    if (session.status !== 'in_progress') throw wrongStatus(session.status)
    const after = moved(operations, session, {
      trigger: 'submitted',
      to: 'processing',
      decision_reason: null,
    })
    await writeMove(operations, tx, session, after, null, traceparent)
    for (const item of flowChecks) {
      await upsertCheck(
        tx,
        checkRow({ ...scope, round: session.round, final: true, part: null }, item.check, item.bytes),
      )
    }
    const submission: Submission = {
      ...scope,
      round: session.round,
      environment: session.environment,
      workflow_id: session.workflow_id,
      config: session.config,
      vendor_data: session.vendor_data,
      evidence: request.evidence,
      sealed_client_address: request.sealed_client_address,
      submitted_at: toTimestamp(after.updated_at),
      test_scenario: session.test_scenario,
    }
    await insertSubmission(tx, submission)
    await operations.outbox.append(tx, sessionSubmitted, submission, {
      orderingKey: session.session_id,
      ...(traceparent ? { traceparent } : {}),
    })
    // A workflow with only the flow's own checks is already complete.
    await decideWhenComplete(operations, tx, after, traceparent)
    return { status: after.status }
  })
}
