import { describe, expect, test } from '@jest/globals'
import type { Decision, SignedPurgeCertificate, SignedReceipt } from '@kyc/common'
import { emptyIdentity } from '@kyc/common'
import fc from 'fast-check'
import { hashOf, saltedHashOf } from './receipt-hashes.ts'
import { signatureProblem, signDocument } from './signed-document.ts'
import { signingKeyOfSeed } from './signing-key.ts'
import { verifyReceipt } from './verify-receipt.ts'

const key = signingKeyOfSeed(Buffer.alloc(32, 7))
const other = signingKeyOfSeed(Buffer.alloc(32, 8))
const keys = [key.publicKey]
const at = '2026-03-01T12:00:00Z'
const salt = '0123456789abcdef0123456789abcdef'

const decision: Decision = {
  session_id: 'ses_0123456789abcdef01234567',
  status: 'approved',
  decision_reason: null,
  workflow_id: 'wf_0123456789abcdef01234567',
  vendor_data: null,
  metadata: {},
  identity: { ...emptyIdentity, full_name: 'Erika Beispiel' },
  checks: [
    {
      kind: 'document',
      status: 'passed',
      score: 0.9,
      data: { document_type: 'passport' },
      warnings: [],
      attempts: 1,
      started_at: at,
      completed_at: at,
      engine: { name: 'reader', version: '1' },
    },
  ],
  review: null,
  created_at: at,
  submitted_at: at,
  completed_at: at,
  expires_at: at,
}

const receipt = (): SignedReceipt =>
  signDocument(key, {
    type: 'kyc.decision-receipt',
    version: 1,
    app_id: 'app_0123456789abcdef01234567',
    environment: 'test',
    session_id: decision.session_id,
    sequence: 3,
    round: 1,
    status: 'approved',
    decision_reason: null,
    decided_at: at,
    review: null,
    salt,
    workflow: { id: decision.workflow_id, version: 1, config_sha256: hashOf({}) },
    evidence: [{ kind: 'document_front', object_id: 'obj_0123456789abcdef01234567', sha256: 'a'.repeat(64) }],
    identity_sha256: saltedHashOf(salt, decision.identity),
    checks: decision.checks.map(({ kind, status, engine, ...rest }) => ({
      kind,
      status,
      engine,
      output_sha256: saltedHashOf(salt, { kind, status, engine, ...rest }),
    })),
    lists: [],
    code: { version: '0.1.0', commit: null },
  })

const certificate = (remaining: number): SignedPurgeCertificate =>
  signDocument(key, {
    type: 'kyc.purge-certificate',
    version: 1,
    app_id: 'app_0123456789abcdef01234567',
    session_id: decision.session_id,
    purged_at: at,
    completed_at: at,
    vault: { data_key: 'destroyed', files_deleted: 2, files_remaining: 0 },
    services: [{ service: 'checks', confirmed_at: at, deleted: {}, remaining: { document_side: remaining } }],
    code: { version: '0.1.0', commit: null },
  })

describe('a signing key', () => {
  test('matches RFC 8032, test 1, and its id the RFC 7638 thumbprint of RFC 8037, appendix A.3', () => {
    const known = signingKeyOfSeed(
      Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
    )
    expect(known.publicKey.x).toBe('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
    expect(known.key_id).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })
})

describe('a receipt', () => {
  test('is valid with its key and its decision, whatever the order of its members', () => {
    const reordered = JSON.parse(JSON.stringify(receipt()), (_, value) =>
      value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as unknown
    expect(verifyReceipt(reordered, { keys, decision })).toEqual({ kind: 'receipt', problems: [] })
  })

  test('is invalid with another key, and with a key that claims the id of the right one', () => {
    expect(verifyReceipt(receipt(), { keys: [other.publicKey] }).problems).toHaveLength(1)
    const posing = { ...other.publicKey, kid: key.key_id }
    expect(verifyReceipt(receipt(), { keys: [posing] }).problems).toHaveLength(1)
  })

  test('is invalid when any byte of it is changed', () => {
    const text = JSON.stringify(receipt())
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 127 }), (position, shift) => {
        const code = (text.charCodeAt(position) + shift) % 128
        const changed = text.slice(0, position) + String.fromCharCode(code) + text.slice(position + 1)
        let parsed: unknown
        try {
          parsed = JSON.parse(changed)
        } catch {
          return
        }
        if (JSON.stringify(parsed) === text) return
        expect(verifyReceipt(parsed, { keys }).problems).not.toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test.each<[string, Decision]>([
    ['identity', { ...decision, identity: { ...decision.identity, full_name: 'Max Muster' } }],
    ['document', { ...decision, checks: decision.checks.map((item) => ({ ...item, score: 1 })) }],
    ['missing', { ...decision, checks: [] }],
    ['status', { ...decision, status: 'declined' }],
  ])('reports the part of the decision that differs from what was signed: %s', (word, changed) => {
    const { problems } = verifyReceipt(receipt(), { keys, decision: changed })
    expect(problems.join()).toContain(word)
  })
})

describe('a purge certificate', () => {
  test('is valid when nothing is left, and invalid when a service counted rows', () => {
    expect(verifyReceipt(certificate(0), { keys })).toEqual({ kind: 'certificate', problems: [] })
    expect(verifyReceipt(certificate(1), { keys }).problems).toEqual(['checks has rows left'])
  })

  test('cannot be forged with the signature of a receipt', () => {
    const forged = { payload: certificate(0).payload, signature: receipt().signature }
    expect(signatureProblem(forged, keys)).not.toBeNull()
  })
})

test('any other document is rejected', () => {
  for (const value of [null, {}, [], 'x', { payload: {}, signature: {} }])
    expect(verifyReceipt(value, { keys }).kind).toBe('unknown')
})
