import { describe, expect, test } from '@jest/globals'
import { standardLimits } from '../domain/destination-health.ts'
import { Destinations } from './destinations.ts'

const create = (totalConcurrency = 100) =>
  new Destinations({ limits: standardLimits, totalConcurrency, failingShare: 0.5 })

/** Starts every allotted attempt and ends it with the given outcome. */
function round(destinations: Destinations, apps: string[], succeeded: (app: string) => boolean, nowMs = 0) {
  const slots = destinations.allot(apps, nowMs)
  for (const [app, count] of slots) for (let i = 0; i < count; i++) destinations.began(app)
  for (const [app, count] of slots)
    for (let i = 0; i < count; i++) destinations.ended(app, succeeded(app), nowMs)
  return slots
}

describe('destinations', () => {
  test('an attempt in flight uses a slot until it ends', () => {
    const destinations = create()
    expect(destinations.allot(['a'], 0)).toEqual(new Map([['a', 2]]))
    destinations.began('a')
    destinations.began('a')
    expect(destinations.inFlight).toBe(2)
    expect(destinations.allot(['a'], 0)).toEqual(new Map())
    destinations.ended('a', true, 0)
    expect(destinations.allot(['a'], 0)).toEqual(new Map([['a', 2]]))
  })

  test('fifty dead receivers leave half of the slots to working ones', () => {
    const destinations = create(20)
    const dead = Array.from({ length: 50 }, (_, i) => `dead${i}`)
    // Fail each of them until it counts as failing.
    for (let i = 0; i < 30; i++) round(destinations, dead, () => false, i * 100_000)
    const slots = destinations.allot(dead, 9_000_000)
    for (const [app, count] of slots) for (let i = 0; i < count; i++) destinations.began(app)
    expect(destinations.inFlight).toBe(10)
    expect(destinations.allot(['living', ...dead], 9_000_000)).toEqual(new Map([['living', 2]]))
  })

  test('an attempt that was not sent does not affect health', () => {
    const destinations = create()
    for (let i = 0; i < 20; i++) {
      destinations.began('a')
      destinations.ended('a', null, 0)
    }
    expect(destinations.allot(['a'], 0)).toEqual(new Map([['a', 2]]))
  })

  test('a new URL resets the health', () => {
    const destinations = create()
    for (let i = 0; i < 10; i++) round(destinations, ['a'], () => false, i * 100_000)
    expect(destinations.allot(['a'], 900_000)).toEqual(new Map())
    destinations.forget('a')
    expect(destinations.allot(['a'], 900_000)).toEqual(new Map([['a', 2]]))
  })
})
