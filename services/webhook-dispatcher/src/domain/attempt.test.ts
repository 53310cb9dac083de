import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { excerptText, succeeded, toAttempt } from './attempt.ts'

const answered = (status_code: number) => ({ status_code, body_excerpt: Buffer.from('hi'), duration_ms: 5 })

describe('an attempt', () => {
  test.each([200, 201, 204, 299])('succeeds with a complete %d', (status) => {
    expect(succeeded(answered(status))).toBe(true)
    expect(toAttempt(answered(status))).toEqual({
      status_code: status,
      error: null,
      response_excerpt: Buffer.from('hi'),
      duration_ms: 5,
    })
  })
  test.each([100, 199, 300, 301, 307, 400, 410, 429, 500, 503])('fails with %d', (status) => {
    expect(succeeded(answered(status))).toBe(false)
  })
  test('fails with a 200 whose body is incomplete', () => {
    const outcome = {
      ...answered(200),
      error: { code: 'timeout' as const, message: 'No complete response.' },
    }
    expect(succeeded(outcome)).toBe(false)
    expect(toAttempt(outcome)).toMatchObject({ status_code: 200, error: 'timeout: No complete response.' })
  })
  test('reports a redirect as the error', () => {
    expect(toAttempt(answered(302)).error).toMatch(/^redirect: /)
  })
  test('stores no excerpt without a response', () => {
    const outcome = {
      status_code: null,
      body_excerpt: Buffer.alloc(0),
      duration_ms: 1,
      error: { code: 'destination_refused' as const, message: 'The destination is not a public address.' },
    }
    expect(toAttempt(outcome).response_excerpt).toBeNull()
  })
})

describe('excerptText', () => {
  test('omits a character that is truncated at the end', () => {
    expect(excerptText(Buffer.from('a北').subarray(0, 3))).toBe('a')
  })
  test('replaces invalid UTF-8 and never throws', () => {
    expect(excerptText(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb')
    fc.assert(fc.property(fc.uint8Array({ maxLength: 256 }), (bytes) => void excerptText(bytes)))
  })
})
