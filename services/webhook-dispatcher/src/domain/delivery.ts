import { nextAttemptAt, type RetrySchedule } from './retry-schedule.ts'

/**
 * The stages of a delivery. Each stage is a separate type and each transition takes its source stage, so that an
 * invalid transition does not compile. `attempts` counts completed attempts.
 */
export type Pending = { stage: 'pending'; attempts: number; nextAttemptAt: Date }
/** `attempt` is the number of the current attempt. */
export type Delivering = { stage: 'delivering'; attempts: number; attempt: number; leasedUntil: Date }
export type Delivered = { stage: 'delivered'; attempts: number }
export type Failed = { stage: 'failed'; attempts: number }

export type Delivery = Pending | Delivering | Delivered | Failed

/** A new delivery, due immediately. */
export const created = (now: Date): Pending => ({ stage: 'pending', attempts: 0, nextAttemptAt: now })

/** For an event whose app has no URL. It is stored, so that it can be redelivered once there is one. */
export const withoutDestination = (): Failed => ({ stage: 'failed', attempts: 0 })

/** Leases the delivery to a worker until `now + leaseMs`; the worker must complete the attempt before that. */
export const leased = (delivery: Pending, now: Date, leaseMs: number): Delivering => ({
  stage: 'delivering',
  attempts: delivery.attempts,
  attempt: delivery.attempts + 1,
  leasedUntil: new Date(now.getTime() + leaseMs),
})

/** The lease ended without a known attempt, because the worker died or could not start. No attempt is counted. */
export const returned = (delivery: Delivering, dueAt: Date): Pending => ({
  stage: 'pending',
  attempts: delivery.attempts,
  nextAttemptAt: dueAt,
})

/** Completes an attempt. After the last attempt of the schedule the delivery has failed. */
export function ended(
  delivery: Delivering,
  succeeded: boolean,
  at: Date,
  schedule: RetrySchedule,
  random: () => number,
): Delivered | Pending | Failed {
  const attempts = delivery.attempt
  if (succeeded) return { stage: 'delivered', attempts }
  const next = nextAttemptAt(schedule, attempts, at, random)
  return next === null ? { stage: 'failed', attempts } : { stage: 'pending', attempts, nextAttemptAt: next }
}

/** The app's URL was removed before the attempt. */
export const undeliverable = (delivery: Delivering): Failed => ({
  stage: 'failed',
  attempts: delivery.attempts,
})

/** Makes a delivered or failed delivery due immediately. The rest of its schedule applies after the new attempt. */
export const redelivered = (delivery: Delivered | Failed, now: Date): Pending => ({
  stage: 'pending',
  attempts: delivery.attempts,
  nextAttemptAt: now,
})
