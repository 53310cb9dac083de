import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { createHeadSigner } from './audit-head.ts'

const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const head = { day: '2026-03-01', seq: 41, hash: 'a'.repeat(64) }

test('a head holds for its key and for nothing that was changed', () => {
  const signer = createHeadSigner(JSON.stringify(newKey()))
  const signed = signer.sign(head)
  expect(signer.isSigned(signed)).toBe(true)
  for (const change of [{ day: '2026-03-02' }, { seq: 42 }, { hash: 'b'.repeat(64) }, { signature: 'AAAA' }])
    expect(signer.isSigned({ ...signed, ...change })).toBe(false)
})

test('heads of an earlier key hold once that key is named, and not before', () => {
  const [before, after] = [newKey(), newKey()]
  const signed = createHeadSigner(JSON.stringify(before)).sign(head)
  expect(createHeadSigner(JSON.stringify(after)).isSigned(signed)).toBe(false)
  expect(createHeadSigner(JSON.stringify(after), [before.x ?? '']).isSigned(signed)).toBe(true)
})

test('a key of another kind is refused', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  expect(() => createHeadSigner(JSON.stringify(rsa))).toThrow('Ed25519')
  expect(() => createHeadSigner('not a key')).toThrow()
})
