import { nextAttemptAt, type RetrySchedule } from './retry-schedule.ts'

/**
 * The stages of a delivery. Each is a type of its own and each step takes the stage it starts from, so that an
 * order that does not exist does not compile. `attempts` counts the attempts that ended.
 */
export type Pending = { stage: 'pending'; attempts: number; nextAttemptAt: Date }
/** `attempt` is the number of the attempt under way. */
export type Delivering = { stage: 'delivering'; attempts: number; attempt: number; leasedUntil: Date }
export type Delivered = { stage: 'delivered'; attempts: number }
export type Failed = { stage: 'failed'; attempts: number }

export type Delivery = Pending | Delivering | Delivered | Failed

/** Due at once. */
export const created = (now: Date): Pending => ({ stage: 'pending', attempts: 0, nextAttemptAt: now })

/** For an event whose app has no URL: kept, so that it can be redelivered once there is one. */
export const withoutDestination = (): Failed => ({ stage: 'failed', attempts: 0 })

/** A worker takes the delivery until `now + leaseMs`; it must end the attempt before that. */
export const leased = (delivery: Pending, now: Date, leaseMs: number): Delivering => ({
  stage: 'delivering',
  attempts: delivery.attempts,
  attempt: delivery.attempts + 1,
  leasedUntil: new Date(now.getTime() + leaseMs),
})

/** The lease ended without an attempt that is known of: the worker died, or could not begin. Nothing is counted. */
export const returned = (delivery: Delivering, dueAt: Date): Pending => ({
  stage: 'pending',
  attempts: delivery.attempts,
  nextAttemptAt: dueAt,
})

/** The attempt ended. After the schedule's last one the delivery has failed. */
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

/** A new attempt of a delivery that rests, due at once; whatever the schedule still has follows it. */
export const redelivered = (delivery: Delivered | Failed, now: Date): Pending => ({
  stage: 'pending',
  attempts: delivery.attempts,
  nextAttemptAt: now,
})
