import { randomBytes } from 'node:crypto'
import { hashOf, outputHashOf, saltedHashOf, signDocument } from '@kyc/attestation'
import { type Check, type Decision, type DecisionReceipt, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { z } from 'zod'
import { insertReceipt } from '../store/receipts.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { findSubmission } from '../store/submissions.ts'
import { codeVersion } from './code-version.ts'
import { type Operations, scopeOf } from './context.ts'
import { signingKeyOf } from './signing-keys.ts'

export const receiptContext = 'receipt'

/** Signs what a decision is based on, in the decision's transaction. `session` is the state after the decision. */
export async function writeReceipt(
  operations: Operations,
  tx: Sql,
  session: SessionRecord,
  decision: Decision,
): Promise<void> {
  const submission = await findSubmission(tx, session.session_id, session.round)
  const evidence = submission?.evidence ?? []
  const payload = receiptOf(operations, session, decision, evidence)
  const key = await signingKeyOf(operations.vault, session.app_id)
  await insertReceipt(tx, {
    session_id: session.session_id,
    sequence: session.sequence,
    sealed: await operations.vault.seal(scopeOf(session), receiptContext, signDocument(key, payload)),
  })
}

function receiptOf(
  operations: Operations,
  session: SessionRecord,
  decision: Decision,
  evidence: DecisionReceipt['evidence'],
): DecisionReceipt {
  const salt = randomBytes(16).toString('hex')
  const { review } = decision
  return {
    type: 'kyc.decision-receipt',
    version: 1,
    ...scopeOf(session),
    environment: session.environment,
    sequence: session.sequence,
    round: session.round,
    status: session.status,
    decision_reason: session.decision_reason,
    decided_at: toTimestamp(session.updated_at),
    review: review ? { reviewed_by: review.reviewed_by, reviewed_at: review.reviewed_at } : null,
    salt,
    workflow: {
      id: session.workflow_id,
      version: session.workflow_version,
      config_sha256: hashOf(session.config),
    },
    evidence: evidence.map(({ kind, object_id, sha256 }) => ({ kind, object_id, sha256 })),
    identity_sha256: saltedHashOf(salt, decision.identity),
    checks: decision.checks.map((check) => ({
      kind: check.kind,
      status: check.status,
      engine: check.engine,
      output_sha256: outputHashOf(salt, check),
    })),
    lists: listsOf(decision.checks),
    code: codeVersion(operations.config),
  }
}

const searched = z.object({ lists: z.array(z.object({ list: z.string(), version: z.string() })) })

/** The list versions that the AML check reports as searched. */
function listsOf(checks: readonly Check[]): DecisionReceipt['lists'] {
  const parsed = searched.safeParse(checks.find((check) => check.kind === 'aml')?.data)
  return parsed.success ? parsed.data.lists : []
}
