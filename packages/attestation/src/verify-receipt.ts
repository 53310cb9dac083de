import {
  type Decision,
  type PublicSigningKey,
  type SignedPurgeCertificate,
  type SignedReceipt,
  signedPurgeCertificate,
  signedReceipt,
} from '@kyc/common'
import { z } from 'zod'
import { outputHashOf, saltedHashOf } from './receipt-hashes.ts'
import { signatureProblem } from './signed-document.ts'

/** `problems` is empty for a valid document. */
export type Verification = { kind: 'receipt' | 'certificate' | 'unknown'; problems: string[] }

export type ReceiptContext = {
  /** Keys known to be the service's (`GET /v1/signing-keys`, stored earlier). */
  keys: readonly PublicSigningKey[]
  /**
   * The decision as returned by `GET /v1/sessions/{id}/decision`. Its outputs are compared with the receipt's hashes.
   */
  decision?: Decision
}

/** Verifies a decision receipt or a purge certificate offline, without network and database. */
export function verifyReceipt(document: unknown, context: ReceiptContext): Verification {
  const schema = z.union([signedReceipt, signedPurgeCertificate])
  const parsed = schema.safeParse(document)
  if (!parsed.success)
    return { kind: 'unknown', problems: ['it is neither a receipt nor a purge certificate'] }
  // The signature covers the document as given, including members that the schema does not know.
  const signed = document as SignedReceipt | SignedPurgeCertificate
  const problem = signatureProblem(signed, context.keys)
  const problems = problem === null ? [] : [problem]
  if (signed.payload.type === 'kyc.purge-certificate') {
    problems.push(...certificateProblems(signed as SignedPurgeCertificate))
    return { kind: 'certificate', problems }
  }
  if (context.decision) problems.push(...decisionProblems(signed as SignedReceipt, context.decision))
  return { kind: 'receipt', problems }
}

function certificateProblems({ payload }: SignedPurgeCertificate): string[] {
  return payload.services
    .filter((item) => Object.values(item.remaining).some((count) => count > 0))
    .map((item) => `${item.service} has rows left`)
}

function decisionProblems({ payload }: SignedReceipt, decision: Decision): string[] {
  const problems: string[] = []
  const compare = (what: string, signed: unknown, given: unknown) => {
    if (signed !== given) problems.push(`${what} is not what was signed`)
  }
  compare('session_id', payload.session_id, decision.session_id)
  compare('status', payload.status, decision.status)
  compare('decision_reason', payload.decision_reason, decision.decision_reason)
  compare('identity', payload.identity_sha256, saltedHashOf(payload.salt, decision.identity))
  for (const check of decision.checks) {
    const signed = payload.checks.find((item) => item.kind === check.kind)
    compare(`the ${check.kind} check`, signed?.output_sha256, outputHashOf(payload.salt, check))
  }
  const missing = payload.checks.filter((item) => !decision.checks.some((check) => check.kind === item.kind))
  return [...problems, ...missing.map((item) => `the ${item.kind} check is missing`)]
}
