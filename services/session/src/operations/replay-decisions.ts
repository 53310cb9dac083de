import { hashOf, outputHashOf, saltedHashOf, signatureProblem } from '@kyc/attestation'
import { type Decision, type SignedReceipt, signedReceipt } from '@kyc/common'
import { type Sql, sha256Hex } from '@kyc/runtime'
import { type Vault, VaultError } from '@kyc/vault'
import { decide } from '../domain/decide.ts'
import { type DecisionToReplay, decisionsAfter } from '../store/decisions.ts'
import { findReceipt } from '../store/receipts.ts'
import { findSession } from '../store/sessions.ts'
import { scopeOf } from './context.ts'
import { presentDecision } from './present-decision.ts'
import { signingKeyOf } from './signing-keys.ts'
import { receiptContext } from './write-receipt.ts'

export type Difference = { session_id: string; sequence: number; problem: string }
export type ReplayedDecisions = {
  decisions: number
  receipts: number
  files: number
  differences: Difference[]
}

const page = 500

/**
 * Recomputes every stored engine decision from its stored inputs and workflow, and verifies each session's latest
 * receipt against the stored data: signature, workflow, check outputs, identity and, with `files`, the evidence
 * itself. Purged sessions have no receipt, but their decisions are recomputed too. Read-only.
 */
export async function replayDecisions(
  parts: { database: Sql; vault: Vault },
  options: { files?: boolean; onDifference?: (difference: Difference) => void } = {},
): Promise<ReplayedDecisions> {
  const total: ReplayedDecisions = { decisions: 0, receipts: 0, files: 0, differences: [] }
  const report = (decision: DecisionToReplay, problem: string) => {
    const difference = { session_id: decision.session_id, sequence: decision.sequence, problem }
    total.differences.push(difference)
    options.onDifference?.(difference)
  }
  let after = { session_id: '', sequence: 0 }
  for (;;) {
    const decisions = await decisionsAfter(parts.database, after, page)
    for (const decision of decisions) {
      total.decisions++
      for (const problem of outcomeProblems(decision)) report(decision, problem)
      if (!decision.latest) continue
      const checked = await receiptProblems(parts, decision, options.files ?? false)
      total.receipts += checked.receipts
      total.files += checked.files
      for (const problem of checked.problems) report(decision, problem)
    }
    const last = decisions.at(-1)
    if (!last || decisions.length < page) return total
    after = last
  }
}

function outcomeProblems({ config, inputs, status, decision_reason }: DecisionToReplay): string[] {
  const now = decide(config, inputs)
  if (now.status === status && now.decision_reason === decision_reason) return []
  const said = (outcome: { status: string; decision_reason: string | null }) =>
    `${outcome.status} (${outcome.decision_reason ?? 'no reason'})`
  return [`decided ${said({ status, decision_reason })}, recomputed ${said(now)}`]
}

type Checked = { receipts: number; files: number; problems: string[] }

async function receiptProblems(
  { database, vault }: { database: Sql; vault: Vault },
  { app_id, session_id }: DecisionToReplay,
  files: boolean,
): Promise<Checked> {
  const session = await findSession(database, app_id, session_id)
  const sealed = await findReceipt(database, session_id)
  if (!session || session.purged_at) return { receipts: 0, files: 0, problems: [] }
  if (!sealed) return { receipts: 0, files: 0, problems: ['it has no receipt'] }
  try {
    const receipt = signedReceipt.parse(await vault.open(scopeOf(session), receiptContext, sealed))
    const decision = await presentDecision({ vault, sql: database }, session)
    const key = await signingKeyOf(vault, app_id)
    const signature = signatureProblem(receipt, [key.publicKey])
    const evidence = files ? await evidenceProblems(vault, receipt) : []
    return {
      receipts: 1,
      files: files ? receipt.payload.evidence.length : 0,
      problems: [
        ...(signature ? [signature] : []),
        ...contentProblems(receipt, decision, session.config),
        ...evidence,
      ],
    }
  } catch (error) {
    // Damaged data is a finding. An unavailable store or key manager is not, so the command fails.
    if (!(error instanceof VaultError) || error.code !== 'integrity') throw error
    return { receipts: 1, files: 0, problems: ['what is stored of it is damaged'] }
  }
}

function contentProblems({ payload }: SignedReceipt, decision: Decision, config: unknown): string[] {
  const problems: string[] = []
  if (payload.workflow.config_sha256 !== hashOf(config)) problems.push('the workflow is not the signed one')
  if (payload.identity_sha256 !== saltedHashOf(payload.salt, decision.identity))
    problems.push('the identity is not the signed one')
  for (const check of decision.checks) {
    const signed = payload.checks.find((item) => item.kind === check.kind)
    if (signed?.output_sha256 !== outputHashOf(payload.salt, check))
      problems.push(`the ${check.kind} check is not the signed one`)
  }
  return problems
}

async function evidenceProblems(vault: Vault, { payload }: SignedReceipt): Promise<string[]> {
  const problems: string[] = []
  for (const { kind, object_id, sha256 } of payload.evidence) {
    try {
      if (sha256Hex(await vault.get(payload, object_id)) !== sha256)
        problems.push(`${kind} is not the signed file`)
    } catch (error) {
      if (!(error instanceof VaultError) || !['integrity', 'object_missing'].includes(error.code)) throw error
      problems.push(`${kind} is damaged or missing`)
    }
  }
  return problems
}
