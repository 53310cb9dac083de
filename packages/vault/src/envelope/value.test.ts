import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { VaultIntegrityError } from '../errors.ts'
import { openValue, sealValue, type ValuePlace, valueKeyOf } from './value.ts'

const key = randomBytes(32)
const scope = { app_id: 'app_1', session_id: 'ses_1' }
const place: ValuePlace = { kind: 'session', scope, context: 'session.identity' }

describe('a sealed value', () => {
  test('opens to the same JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const expected = JSON.parse(JSON.stringify(value)) as unknown
        expect(openValue(key, place, sealValue(key, place, value))).toEqual(expected)
      }),
    )
  })

  test('is 30 bytes longer than its JSON and reveals none of it', () => {
    const sealed = sealValue(key, place, { full_name: 'SECRET MARKER' })
    expect(sealed).toHaveLength(JSON.stringify({ full_name: 'SECRET MARKER' }).length + 30)
    expect(sealed.includes('SECRET')).toBe(false)
    expect(sealed.equals(sealValue(key, place, { full_name: 'SECRET MARKER' }))).toBe(false)
  })

  test('is rejected after any flipped bit, truncated anywhere, or empty', () => {
    const sealed = sealValue(key, place, { a: 1 })
    for (let at = 0; at < sealed.length; at++) {
      const bad = Buffer.from(sealed)
      bad[at]! ^= 1 << (at % 8)
      expect(() => openValue(key, place, bad)).toThrow(VaultIntegrityError)
      expect(() => openValue(key, place, sealed.subarray(0, at))).toThrow(VaultIntegrityError)
    }
  })

  test('opens only in its own place, even under the same key', () => {
    const sealed = sealValue(key, place, 'x')
    const elsewhere: ValuePlace[] = [
      { ...place, context: 'session.contact' },
      { ...place, scope: { ...scope, session_id: 'ses_2' } },
      { ...place, scope: { ...scope, app_id: 'app_2' } },
      { kind: 'app', app_id: 'app_1', context: 'session.identity' },
    ]
    for (const other of elsewhere) expect(() => openValue(key, other, sealed)).toThrow(VaultIntegrityError)
  })

  test('opens from a plain Uint8Array, as databases return it', () => {
    const padded = Buffer.concat([Buffer.alloc(3), sealValue(key, place, [1, 2])])
    const view = new Uint8Array(padded.buffer, padded.byteOffset + 3, padded.length - 3)
    expect(openValue(key, place, view)).toEqual([1, 2])
  })

  test('is AES-256-GCM under an HKDF-SHA256 key, with its place as associated data', () => {
    const prefixed = (...parts: string[]) =>
      Buffer.concat(parts.map((part) => Buffer.from([0, part.length, ...Buffer.from(part)])))
    const derived = valueKeyOf(key)
    const info = prefixed('kyc-vault/1/value')
    expect(derived.equals(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, 32)))).toBe(true)
    const sealed = sealValue(derived, place, { a: 1 })
    const decipher = createDecipheriv('aes-256-gcm', derived, sealed.subarray(2, 14), { authTagLength: 16 })
    decipher.setAAD(prefixed('kyc-vault/1/value', 'app_1', 'ses_1', 'session.identity'))
    decipher.setAuthTag(sealed.subarray(-16))
    const opened = Buffer.concat([decipher.update(sealed.subarray(14, -16)), decipher.final()])
    expect(JSON.parse(opened.toString('utf8'))).toEqual({ a: 1 })
  })

  test('rejects a value without a JSON form', () => {
    expect(() => sealValue(key, place, undefined)).toThrow(TypeError)
  })
})
