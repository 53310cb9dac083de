/** What one app's receiver is allowed, learnt from its answers. One per app and process, in memory. */
export type DestinationHealth = {
  /** Attempts at once. Grows with each success, halves with each failure. */
  concurrency: number
  consecutiveFailures: number
  /** No attempt begins before this, Unix milliseconds. */
  notBeforeMs: number
}

export type HealthLimits = {
  initialConcurrency: number
  maxConcurrency: number
  /** From this many failures in a row on, attempts to the app are spaced. */
  spacingAfterFailures: number
  firstSpacingMs: number
  /** Shorter than every delay of the schedule, so that a lone delivery keeps its times. */
  maxSpacingMs: number
}

export const standardLimits: HealthLimits = {
  initialConcurrency: 2,
  maxConcurrency: 16,
  spacingAfterFailures: 5,
  firstSpacingMs: 250,
  maxSpacingMs: 15_000,
}

export const unknownHealth = (limits: HealthLimits): DestinationHealth => ({
  concurrency: Math.min(limits.initialConcurrency, limits.maxConcurrency),
  consecutiveFailures: 0,
  notBeforeMs: 0,
})

export const afterSuccess = (health: DestinationHealth, limits: HealthLimits): DestinationHealth => ({
  concurrency: Math.min(limits.maxConcurrency, health.concurrency + 1),
  consecutiveFailures: 0,
  notBeforeMs: 0,
})

/**
 * A failed attempt of any delivery of the app. Once spaced, attempts come one at a time, ever further apart:
 * a delivery is then late, but none of its attempts is skipped.
 */
export function afterFailure(
  health: DestinationHealth,
  limits: HealthLimits,
  nowMs: number,
): DestinationHealth {
  const consecutiveFailures = health.consecutiveFailures + 1
  const beyond = consecutiveFailures - limits.spacingAfterFailures
  if (beyond < 0) {
    return {
      concurrency: Math.max(1, Math.floor(health.concurrency / 2)),
      consecutiveFailures,
      notBeforeMs: 0,
    }
  }
  const spacingMs = Math.min(limits.maxSpacingMs, limits.firstSpacingMs * 2 ** Math.min(beyond, 20))
  return { concurrency: 1, consecutiveFailures, notBeforeMs: nowMs + spacingMs }
}

/** How many attempts may begin now, beside those under way. */
export const allowance = (health: DestinationHealth, inFlight: number, nowMs: number): number =>
  nowMs < health.notBeforeMs ? 0 : Math.max(0, health.concurrency - inFlight)
