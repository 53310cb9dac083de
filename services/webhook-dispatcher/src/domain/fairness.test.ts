import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { allotSlots, type SlotRequest } from './allot-slots.ts'
import { afterFailure, afterSuccess, allowance, standardLimits, unknownHealth } from './destination-health.ts'
import { standardDelaysSeconds } from './retry-schedule.ts'

const limits = standardLimits
const failures = (count: number, nowMs = 0) => {
  let health = unknownHealth(limits)
  for (let i = 0; i < count; i++) health = afterFailure(health, limits, nowMs)
  return health
}

describe('the health of a destination', () => {
  test('starts small and grows with success up to its limit', () => {
    let health = unknownHealth(limits)
    expect(allowance(health, 0, 0)).toBe(2)
    for (let i = 0; i < 100; i++) health = afterSuccess(health, limits)
    expect(allowance(health, 0, 0)).toBe(16)
    expect(allowance(health, 15, 0)).toBe(1)
    expect(allowance(health, 99, 0)).toBe(0)
  })
  test('spaces attempts after consecutive failures, with growing intervals, one at a time', () => {
    expect(allowance(failures(4), 0, 0)).toBe(1)
    expect(allowance(failures(5), 0, 249)).toBe(0)
    expect(allowance(failures(5), 0, 250)).toBe(1)
    expect(allowance(failures(6), 0, 499)).toBe(0)
    expect(allowance(failures(1_000), 0, 14_999)).toBe(0)
    expect(allowance(failures(1_000), 0, 15_000)).toBe(1)
    expect(allowance(failures(1_000), 1, 15_000)).toBe(0)
  })
  test('clears failures and spacing after one success', () => {
    expect(afterSuccess(failures(50), limits)).toMatchObject({
      consecutiveFailures: 0,
      notBeforeMs: 0,
      concurrency: 2,
    })
  })
  test('never delays the schedule of a lone delivery', () => {
    for (let failed = 1; failed <= 7; failed++) {
      const delayMs = standardDelaysSeconds[failed - 1]! * 1000
      expect(allowance(failures(failed), 0, delayMs)).toBeGreaterThan(0)
    }
  })
})

describe('slots', () => {
  const app = (app_id: string, options: Partial<SlotRequest> = {}): SlotRequest => ({
    app_id,
    inFlight: 0,
    allowance: 16,
    failing: false,
    ...options,
  })
  const share = (
    requests: SlotRequest[],
    options: { total?: number; used?: number; offset?: number; usedByFailing?: number } = {},
  ) =>
    Object.fromEntries(
      allotSlots({
        total: 12,
        used: 0,
        usedByFailing: 0,
        failingShare: 0.5,
        offset: 0,
        ...options,
        requests,
      }),
    )

  test('are shared evenly', () => {
    expect(share([app('a'), app('b'), app('c')])).toEqual({ a: 4, b: 4, c: 4 })
  })
  test('go first to the app with the fewest in use', () => {
    expect(share([app('a', { inFlight: 6 }), app('b')], { used: 6 })).toEqual({ b: 6 })
  })
  test('are not reserved for apps that cannot use them', () => {
    expect(share([app('a', { allowance: 1 }), app('b')])).toEqual({ a: 1, b: 11 })
  })
  test('go to failing apps only up to their share', () => {
    expect(share([app('a', { failing: true }), app('b', { failing: true })])).toEqual({ a: 3, b: 3 })
    expect(share([app('a', { failing: true })], { used: 6, usedByFailing: 6 })).toEqual({})
    expect(share([app('a', { failing: true }), app('b')], { used: 6, usedByFailing: 6 })).toEqual({ b: 6 })
  })
  test('rotate when there are fewer slots than apps', () => {
    const apps = ['a', 'b', 'c', 'd'].map((id) => app(id))
    const first = [0, 1, 2, 3].map((offset) => Object.keys(share(apps, { total: 1, offset }))[0])
    expect(new Set(first).size).toBe(4)
  })

  test("never exceed the free slots or an app's allowance, and none is left idle", () => {
    const request = fc.record({
      inFlight: fc.nat(10),
      allowance: fc.nat(20),
      failing: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(request, { maxLength: 12 }),
        fc.nat(64),
        fc.nat(64),
        fc.nat(20),
        (list, total, used, offset) => {
          const requests = list.map((item, i) => ({ ...item, app_id: String(i) }))
          const granted = allotSlots({ total, used, usedByFailing: 0, failingShare: 0.5, offset, requests })
          const sum = [...granted.values()].reduce((a, b) => a + b, 0)
          const free = Math.max(0, total - used)
          for (const item of requests)
            expect(granted.get(item.app_id) ?? 0).toBeLessThanOrEqual(item.allowance)
          const healthyWish = requests.reduce((wish, item) => wish + (item.failing ? 0 : item.allowance), 0)
          expect(sum).toBeLessThanOrEqual(free)
          expect(sum).toBeGreaterThanOrEqual(Math.min(free, healthyWish))
        },
      ),
    )
  })
})
