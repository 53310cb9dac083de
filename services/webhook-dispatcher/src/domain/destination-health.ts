/** The limits for one app's receiver, adapted to its responses. One per app and process, in memory. */
export type DestinationHealth = {
  /** Maximum concurrent attempts. Grows with each success, halves with each failure. */
  concurrency: number
  consecutiveFailures: number
  /** No attempt starts before this time (Unix milliseconds). */
  notBeforeMs: number
}

export type HealthLimits = {
  initialConcurrency: number
  maxConcurrency: number
  /** The number of consecutive failures after which attempts to the app are spaced out. */
  spacingAfterFailures: number
  firstSpacingMs: number
  /** Shorter than every delay of the schedule, so that the schedule of a lone delivery is not affected. */
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
 * Records a failed attempt of any delivery of the app. Once spaced, attempts run one at a time with growing
 * intervals, so deliveries are late but no attempt is skipped.
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

/** How many attempts may start now, in addition to those in flight. */
export const allowance = (health: DestinationHealth, inFlight: number, nowMs: number): number =>
  nowMs < health.notBeforeMs ? 0 : Math.max(0, health.concurrency - inFlight)
