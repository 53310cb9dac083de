import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isPassing, waitBefore } from './retry.ts'

describe('a failed request', () => {
  test('is repeated when there was no answer, a service was away or it came too often', () => {
    expect(isPassing({ code: 'network', status: 0 })).toBe(true)
    for (const status of [429, 502, 503, 504]) expect(isPassing({ code: 'internal', status })).toBe(true)
  })

  test('is not repeated when the server understood and refused, or failed by itself', () => {
    for (const status of [400, 401, 404, 409, 422, 500])
      expect(isPassing({ code: 'conflict', status })).toBe(false)
  })
})

describe('the wait before another try', () => {
  test('never ends before the server allows, nor lasts longer than 18 s of its own accord', () => {
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

  test('grows with each try', () => {
    const waits = [1, 2, 3, 4].map((attempt) => waitBefore(attempt, null, () => 0))
    expect(waits).toEqual([800, 1600, 3200, 6400])
  })
})
