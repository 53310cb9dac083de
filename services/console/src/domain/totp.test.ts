import { describe, expect, test } from '@jest/globals'
import { matchTotp, newTotpSecret, otpauthUrl } from './totp.ts'

/** RFC 6238, appendix B: the ASCII secret 12345678901234567890 in base32; codes truncated to six digits. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
]

describe('a TOTP code', () => {
  test.each(vectors)('of the standard at second %d is accepted', (seconds, code) => {
    expect(matchTotp(secret, code, new Date(seconds * 1000), 0)).toBe(Math.floor(seconds / 30))
  })

  test('is accepted one step early or late, and no further', () => {
    const at = (seconds: number) => matchTotp(secret, '050471', new Date(seconds * 1000), 0)
    expect([1_111_111_111 - 30, 1_111_111_111 + 30].map(at)).toEqual([37_037_037, 37_037_037])
    expect([1_111_111_111 - 60, 1_111_111_111 + 60].map(at)).toEqual([null, null])
  })

  test('works once', () => {
    const now = new Date(1_234_567_890_000)
    const step = matchTotp(secret, '005924', now, 0) ?? 0
    expect(matchTotp(secret, '005924', now, step)).toBeNull()
  })

  test('of another format is rejected', () => {
    for (const code of ['', '28708', '2870820', 'abcdef', '00287082'])
      expect(matchTotp(secret, code, new Date(59_000), 0)).toBeNull()
  })
})

test('a new secret has 160 bits, and its otpauth URL contains the e-mail address', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(newTotpSecret())
  expect(otpauthUrl(secret, 'a@example.com')).toMatch(/^otpauth:\/\/totp\/.*a%40example\.com.*secret=GEZD/)
})
