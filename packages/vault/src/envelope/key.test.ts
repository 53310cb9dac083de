import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { VaultIntegrityError } from '../errors.ts'
import { decodeWrappedKey, encodeWrappedKey, type WrappedKey } from './key.ts'

describe('a stored wrapped key', () => {
  test('is read back as written', () => {
    const wrapper = fc.constantFrom<WrappedKey['wrapper']>('app_key', 'key_encryption_key')
    fc.assert(
      fc.property(
        wrapper,
        fc.string({ maxLength: 80 }),
        fc.uint8Array({ maxLength: 300 }),
        (by, id, bytes) => {
          const key: WrappedKey = { wrapper: by, keyId: id, wrapped: Buffer.from(bytes) }
          expect(decodeWrappedKey(encodeWrappedKey(key), by)).toEqual(key)
        },
      ),
    )
  })

  test('is detected as damaged after any flipped bit or truncation, before its key id is used', () => {
    const bytes = encodeWrappedKey({ wrapper: 'app_key', keyId: '12', wrapped: Buffer.alloc(60, 7) })
    for (let at = 0; at < bytes.length; at++) {
      const bad = Buffer.from(bytes)
      bad[at]! ^= 1 << (at % 8)
      expect(() => decodeWrappedKey(bad, 'app_key')).toThrow(VaultIntegrityError)
      expect(() => decodeWrappedKey(bytes.subarray(0, at), 'app_key')).toThrow(VaultIntegrityError)
    }
  })

  test('is rejected in the place of a key of another kind', () => {
    const bytes = encodeWrappedKey({ wrapper: 'app_key', keyId: '1', wrapped: Buffer.alloc(60) })
    expect(() => decodeWrappedKey(bytes, 'key_encryption_key')).toThrow(VaultIntegrityError)
  })
})
