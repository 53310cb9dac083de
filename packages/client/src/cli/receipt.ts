import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Decision, Operations } from '../generated/types.ts'
import { canonicalJson } from './canonical-json.ts'

export type SignedReceipt = Operations['getReceipt']['answer']
export type SigningKey = Operations['listSigningKeys']['answer']['keys'][number]

/**
 * The problems of a receipt; empty if it is valid. `keys` are public keys that you trust: store them in advance,
 * because a receipt proves little if its key was delivered with it. With `decision`, its parts are also compared with
 * the receipt's hashes.
 */
export function receiptProblems(
  receipt: SignedReceipt,
  keys: readonly SigningKey[],
  decision?: Decision,
): string[] {
  if (!isSigned(receipt)) return ['it is no signed document']
  const { payload, signature } = receipt
  const key = keys.find(({ kid }) => kid === signature.key_id)
  if (!key) return [`no trusted key has the id ${String(signature?.key_id)}`]
  if (key.kid !== thumbprint(key)) return ['the trusted key is not the one that its id names']
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  const message = Buffer.from(canonicalJson(payload), 'utf8')
  if (!verify(null, message, publicKey, Buffer.from(signature.value, 'base64url'))) {
    return ['the signature does not hold']
  }
  return decision ? decisionProblems(payload, decision) : []
}

/** A file can contain anything, so check the shape first. */
function isSigned(receipt: unknown): boolean {
  const { payload, signature } = (receipt ?? {}) as Partial<SignedReceipt>
  return typeof payload === 'object' && payload !== null && typeof signature?.value === 'string'
}

/** RFC 7638. */
const thumbprint = ({ crv, kty, x }: SigningKey) =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')

function decisionProblems(payload: SignedReceipt['payload'], decision: Decision): string[] {
  const salted = (value: unknown) =>
    createHash('sha256')
      .update(canonicalJson([payload.salt, value]))
      .digest('hex')
  const problems: string[] = []
  if (payload.session_id !== decision.session_id) problems.push('the decision is of another session')
  if (payload.status !== decision.status || payload.decision_reason !== decision.decision_reason) {
    problems.push('the outcome is another one')
  }
  if (payload.identity_sha256 !== salted(decision.identity)) problems.push('the identity is another one')
  const kinds = decision.checks.map(({ kind }) => kind).join()
  if (kinds !== payload.checks.map(({ kind }) => kind).join()) problems.push('the checks are others')
  for (const { kind, output_sha256 } of payload.checks) {
    const found = decision.checks.find((check) => check.kind === kind)
    if (found && salted(found) !== output_sha256) problems.push(`the ${kind} check is another one`)
  }
  return problems
}
