import type { Delivered, Failed, Pending } from '../domain/delivery.ts'

/** How a stage without a lease stands in the table; the check constraint `delivery_stage` holds the same. */
export const stageColumns = (stage: Pending | Delivered | Failed, now: Date) => ({
  status: stage.stage,
  attempts: stage.attempts,
  next_attempt_at: stage.stage === 'pending' ? stage.nextAttemptAt.toISOString() : null,
  settled_at: stage.stage === 'pending' ? null : now.toISOString(),
})
