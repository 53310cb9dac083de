import type { Clock } from '@kyc/runtime'

/** A clock whose time changes only when a test advances it. */
export class TestClock implements Clock {
  #now: number

  constructor(start: Date | string = '2026-03-01T12:00:00Z') {
    this.#now = new Date(start).getTime()
  }

  now(): Date {
    return new Date(this.#now)
  }

  advance(by: { seconds?: number; minutes?: number; hours?: number; days?: number }): void {
    const { seconds = 0, minutes = 0, hours = 0, days = 0 } = by
    this.#now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  }

  set(to: Date | string): void {
    this.#now = new Date(to).getTime()
  }
}
