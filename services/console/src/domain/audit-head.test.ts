import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { signatureProblem } from '@kyc/attestation'
import { createHeadSigner } from './audit-head.ts'

const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const last = { seq: 41, hash: 'a'.repeat(64) }
const at = new Date('2026-03-01T12:00:00Z')

test('a head is valid under its key, and invalid after any change', () => {
  const signer = createHeadSigner(JSON.stringify(newKey()))
  const head = signer.sign(last, at)
  expect(head.payload).toMatchObject({ ...last, signed_at: '2026-03-01T12:00:00Z' })
  expect(signer.problemOf(head)).toBeNull()
  for (const change of [{ seq: 42 }, { hash: 'b'.repeat(64) }, { signed_at: '2026-03-02T12:00:00Z' }])
    expect(signer.problemOf({ ...head, payload: { ...head.payload, ...change } })).toContain('signature')
  expect(signer.problemOf({ ...head, signature: { ...head.signature, value: 'AAAA' } })).toContain(
    'signature',
  )
})

test('anybody can verify a head offline with the published keys', () => {
  const signer = createHeadSigner(JSON.stringify(newKey()))
  expect(signatureProblem(signer.sign(last, at), signer.keys)).toBeNull()
})

test('a head signed with an earlier key is valid only if that key is configured', () => {
  const [before, after] = [newKey(), newKey()]
  const head = createHeadSigner(JSON.stringify(before)).sign(last, at)
  expect(createHeadSigner(JSON.stringify(after)).problemOf(head)).toContain('none of the trusted ones')
  expect(createHeadSigner(JSON.stringify(after), [before.x ?? '']).problemOf(head)).toBeNull()
})

test('rejects a key of another type', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  expect(() => createHeadSigner(JSON.stringify(rsa))).toThrow('Ed25519')
  expect(() => createHeadSigner('not a key')).toThrow()
  expect(() => createHeadSigner(JSON.stringify(newKey()), ['not a key'])).toThrow()
})
