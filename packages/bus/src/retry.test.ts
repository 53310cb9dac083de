import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isTransient, PermanentError, TransientError } from './errors.ts'
import { outcomeOfError } from './retry.ts'

const tiers = [5_000, 60_000, 600_000]

describe('the outcome of a message whose handler failed', () => {
  test('each attempt has its tier, and a failure after the last one parks the message', () => {
    const kinds = [1, 2, 3, 4].map((attempt) => outcomeOfError(new Error('no'), attempt, tiers))
    expect(kinds).toEqual([
      { kind: 'retry', delayMs: 5_000, attempt: 2, detail: 'Error: no' },
      { kind: 'retry', delayMs: 60_000, attempt: 3, detail: 'Error: no' },
      { kind: 'retry', delayMs: 600_000, attempt: 4, detail: 'Error: no' },
      { kind: 'dead', reason: 'attempts_exhausted', detail: 'Error: no' },
    ])
  })

  test('a permanent error is parked at any attempt', () => {
    for (const attempt of [1, 2, 9]) {
      expect(outcomeOfError(new PermanentError('gone'), attempt, tiers)).toMatchObject({
        kind: 'dead',
        reason: 'permanent_error',
      })
    }
  })

  test('an outage never parks a message and never uses up an attempt, however often it is retried', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), (attempt) => {
        expect(outcomeOfError(new TransientError('database away'), attempt, tiers)).toMatchObject({
          kind: 'retry',
          delayMs: 5_000,
          attempt,
        })
      }),
    )
  })

  test('without tiers every failure is parked', () => {
    expect(outcomeOfError(new TransientError('away'), 1, [])).toMatchObject({ kind: 'dead' })
    expect(outcomeOfError(new Error('no'), 1, [])).toMatchObject({ kind: 'dead' })
  })

  test('the detail is truncated', () => {
    const outcome = outcomeOfError(new Error('x'.repeat(10_000)), 9, tiers)
    expect(outcome.kind === 'dead' && outcome.detail.length).toBe(300)
  })
})

describe('errors that count as an outage', () => {
  const withCode = (code: string) => Object.assign(new Error('failed'), { code })

  test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '08006', '53300', '57P01', '57P03'])(
    '%s does',
    (code) => {
      expect(isTransient(withCode(code))).toBe(true)
      expect(isTransient(new Error('outer', { cause: withCode(code) }))).toBe(true)
    },
  )

  test.each(['23505', '22P02', '40001', '57014', 'ENOENT', 'ERR_INVALID_ARG_TYPE'])('%s does not', (code) => {
    expect(isTransient(withCode(code))).toBe(false)
  })

  test('a lost connection without an error code does', () => {
    expect(isTransient(new Error('Connection terminated unexpectedly'))).toBe(true)
    expect(isTransient(new Error('timeout exceeded when trying to connect'))).toBe(true)
  })

  test('a value that is not an Error does not', () => {
    for (const value of [undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }]) {
      expect(isTransient(value)).toBe(false)
    }
  })
})
