import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { maskSecret, newSigningSecret } from './secret.ts'
import { sign } from './signature.ts'

describe('the signature', () => {
  test('matches the value that another implementation computes', () => {
    // printf '1700000000.{"name":"Zoë 北京"}' | openssl dgst -sha256 -hmac whsec_test
    expect(sign('whsec_test', 1_700_000_000, Buffer.from('{"name":"Zoë 北京"}'))).toBe(
      'v1=caec09b3333f4742057c00f5a8c9c82bbe1987d033c6343457420fe034f41734',
    )
  })
  test('is v1= and 64 lower-case hex characters, over timestamp, dot and raw bytes', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.uint8Array(), (secret, timestamp, body) => {
        const signature = sign(secret, timestamp, body)
        expect(signature).toMatch(/^v1=[0-9a-f]{64}$/)
        const message = Buffer.concat([Buffer.from(`${timestamp}.`), body])
        expect(signature).toBe(`v1=${createHmac('sha256', secret).update(message).digest('hex')}`)
      }),
    )
  })
})

describe('a secret', () => {
  test('is new each time, with its prefix and 256 random bits', () => {
    const secrets = new Set(Array.from({ length: 100 }, newSigningSecret))
    expect(secrets.size).toBe(100)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9]{43}$/)
  })
  test('is recognisable but not readable when masked', () => {
    expect(maskSecret('whsec_abcdefghijklmnopqrstuvwxyz1234')).toBe('whsec_****1234')
  })
})
