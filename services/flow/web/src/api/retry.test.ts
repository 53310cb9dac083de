import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isPassing, waitBefore } from './retry.ts'

describe('a failed request', () => {
  test('is retried after no response, an unavailable service or too many requests', () => {
    expect(isPassing({ code: 'network', status: 0 })).toBe(true)
    for (const status of [429, 502, 503, 504]) expect(isPassing({ code: 'internal', status })).toBe(true)
  })

  test('is not retried after a client error or an internal server error', () => {
    for (const status of [400, 401, 404, 409, 422, 500])
      expect(isPassing({ code: 'conflict', status })).toBe(false)
  })
})

describe('the delay before a retry', () => {
  test('is never shorter than the server requires, nor longer than 18 s unless the server requires it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.option(fc.integer({ min: 0, max: 120 })),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, asked, random) => {
          const wait = waitBefore(attempt, asked, () => random)
          expect(wait).toBeGreaterThanOrEqual((asked ?? 0) * 1000)
          expect(wait).toBeLessThanOrEqual(Math.max(18_000, (asked ?? 0) * 1000))
        },
      ),
    )
  })

  test('grows with each attempt', () => {
    const waits = [1, 2, 3, 4].map((attempt) => waitBefore(attempt, null, () => 0))
    expect(waits).toEqual([800, 1600, 3200, 6400])
  })
})
