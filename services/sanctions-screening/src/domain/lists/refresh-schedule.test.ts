import { describe, expect, test } from '@jest/globals'
import { isDue, mustRefetch } from './refresh-schedule.ts'

const schedule = { checkHours: 6, refetchDays: 7 }
const at = (text: string): Date => new Date(`2026-03-01T${text}Z`)
const state = (attempted: string, failures = 0) => ({ fetchedAt: null, attemptedAt: at(attempted), failures })

describe('a source is due', () => {
  test('immediately when it was never checked', () => {
    expect(isDue(null, at('00:00:00'), schedule, 0)).toBe(true)
  })

  test('six hours after the last check, and up to a tenth earlier at random', () => {
    expect(isDue(state('00:00:00'), at('05:59:59'), schedule, 0)).toBe(false)
    expect(isDue(state('00:00:00'), at('06:00:00'), schedule, 0)).toBe(true)
    expect(isDue(state('00:00:00'), at('05:24:00'), schedule, 1)).toBe(true)
    expect(isDue(state('00:00:00'), at('05:23:59'), schedule, 1)).toBe(false)
  })

  test('sooner after a failure, with exponential backoff up to the regular interval', () => {
    const waits = [1, 2, 3, 6, 7, 50].map((failures) => {
      for (let minutes = 0; ; minutes += 10) {
        if (
          isDue(
            state('00:00:00', failures),
            new Date(at('00:00:00').getTime() + minutes * 60_000),
            schedule,
            0,
          )
        )
          return minutes
      }
    })
    expect(waits).toEqual([10, 20, 40, 320, 360, 360])
  })
})

test('a copy of seven days is downloaded again unconditionally, a more recent one is not', () => {
  const fetched = (day: string) => ({
    fetchedAt: new Date(`2026-02-${day}T12:00:00Z`),
    attemptedAt: null,
    failures: 0,
  })
  expect(mustRefetch(fetched('22'), at('12:00:00'), schedule)).toBe(true)
  expect(mustRefetch(fetched('23'), at('12:00:00'), schedule)).toBe(false)
  expect(mustRefetch({ fetchedAt: null, attemptedAt: null, failures: 0 }, at('12:00:00'), schedule)).toBe(
    true,
  )
})
