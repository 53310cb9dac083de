import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { signatureProblem } from '@kyc/attestation'
import { createHeadSigner } from './audit-head.ts'

const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const last = { seq: 41, hash: 'a'.repeat(64) }
const at = new Date('2026-03-01T12:00:00Z')

test('a head is valid under its key and not after any change', () => {
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

test('anybody with the published keys can check a head offline', () => {
  const signer = createHeadSigner(JSON.stringify(newKey()))
  expect(signatureProblem(signer.sign(last, at), signer.keys)).toBeNull()
})

test('heads of an earlier key are valid once that key is named, and not before', () => {
  const [before, after] = [newKey(), newKey()]
  const head = createHeadSigner(JSON.stringify(before)).sign(last, at)
  expect(createHeadSigner(JSON.stringify(after)).problemOf(head)).toContain('none of the trusted ones')
  expect(createHeadSigner(JSON.stringify(after), [before.x ?? '']).problemOf(head)).toBeNull()
})

test('a key of another kind is refused', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  expect(() => createHeadSigner(JSON.stringify(rsa))).toThrow('Ed25519')
  expect(() => createHeadSigner('not a key')).toThrow()
  expect(() => createHeadSigner(JSON.stringify(newKey()), ['not a key'])).toThrow()
})
