import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  created,
  type Delivered,
  ended,
  type Failed,
  leased,
  redelivered,
  returned,
  undeliverable,
  withoutDestination,
} from './delivery.ts'
import { maxAttempts, nextAttemptAt, standardDelaysSeconds } from './retry-schedule.ts'

const exact = { delaysMs: standardDelaysSeconds.map((seconds) => seconds * 1000), jitterRatio: 0 }
const jittered = { ...exact, jitterRatio: 0.1 }
const start = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const never = () => 0

describe('the schedule', () => {
  test('has eight attempts at the specified delays, each after the end of the previous one', () => {
    expect(maxAttempts(exact)).toBe(8)
    let delivery = created(start)
    const delays: number[] = []
    let last: Delivered | Failed | undefined
    for (let end = start; last === undefined; ) {
      const attempt = leased(delivery, delivery.nextAttemptAt, 30_000)
      delays.push((delivery.nextAttemptAt.getTime() - end.getTime()) / 1000)
      // Every attempt takes the full ten seconds; the delay counts from its end.
      end = new Date(delivery.nextAttemptAt.getTime() + 10_000)
      const next = ended(attempt, false, end, exact, never)
      if (next.stage === 'pending') delivery = next
      else last = next
    }
    expect(delays).toEqual([0, 30, 120, 600, 1_800, 3_600, 10_800, 21_600])
    expect(last).toEqual({ stage: 'failed', attempts: 8 })
  })

  test('never schedules an attempt early, and adds at most the jitter ratio', () => {
    const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), unit, (attempts, random) => {
        const plain = nextAttemptAt(exact, attempts, start, never)!.getTime()
        const late = nextAttemptAt(jittered, attempts, start, () => random)!.getTime() - plain
        expect(late).toBeGreaterThanOrEqual(0)
        expect(late).toBeLessThanOrEqual((plain - start.getTime()) * 0.1)
      }),
    )
  })
})

describe('a delivery', () => {
  const firstAttempt = () => leased(created(start), start, 30_000)
  const delivered: Delivered = { stage: 'delivered', attempts: 3 }
  const failed: Failed = { stage: 'failed', attempts: 8 }

  test('is due immediately, and leased for the given time', () => {
    expect(firstAttempt()).toEqual({ stage: 'delivering', attempts: 0, attempt: 1, leasedUntil: after(30) })
  })
  test('is delivered when an attempt succeeds', () => {
    expect(ended(firstAttempt(), true, after(1), exact, never)).toEqual({ stage: 'delivered', attempts: 1 })
  })
  test('is due again after its worker dies, with no attempt counted', () => {
    expect(returned(firstAttempt(), after(30))).toEqual({
      stage: 'pending',
      attempts: 0,
      nextAttemptAt: after(30),
    })
  })
  test('fails without a URL, and can be redelivered with its whole schedule', () => {
    const again = redelivered(withoutDestination(), after(60))
    expect(again).toEqual({ stage: 'pending', attempts: 0, nextAttemptAt: after(60) })
    expect(ended(leased(again, after(60), 30_000), false, after(61), exact, never)).toMatchObject({
      stage: 'pending',
      nextAttemptAt: after(91),
    })
  })
  test('fails without an attempt when its URL is removed', () => {
    expect(undeliverable(leased({ ...created(start), attempts: 2 }, start, 30_000))).toEqual({
      stage: 'failed',
      attempts: 2,
    })
  })
  test('gets one new attempt after it failed, the ninth, and fails again immediately', () => {
    const ninth = leased(redelivered(failed, after(60)), after(60), 30_000)
    expect(ninth.attempt).toBe(9)
    expect(ended(ninth, false, after(61), exact, never)).toEqual({ stage: 'failed', attempts: 9 })
    expect(ended(ninth, true, after(61), exact, never)).toEqual({ stage: 'delivered', attempts: 9 })
  })
  test('can be redelivered after it was delivered', () => {
    expect(redelivered(delivered, after(60))).toEqual({
      stage: 'pending',
      attempts: 3,
      nextAttemptAt: after(60),
    })
  })
  test('rejects a transition from the wrong stage at compile time', () => {
    // @ts-expect-error a delivery that rests has no attempt to end
    ended(delivered, true, start, exact, never)
    // @ts-expect-error a delivery under way is not redelivered
    redelivered(firstAttempt(), start)
    // @ts-expect-error a delivered one is not leased
    expect(() => leased(delivered, start, 1)).not.toThrow()
  })
})
