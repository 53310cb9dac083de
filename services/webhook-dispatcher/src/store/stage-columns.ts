import type { Delivered, Failed, Pending } from '../domain/delivery.ts'

/** The columns of a stage without a lease. The check constraint `delivery_stage` enforces the same. */
export const stageColumns = (stage: Pending | Delivered | Failed, now: Date) => ({
  status: stage.stage,
  attempts: stage.attempts,
  next_attempt_at: stage.stage === 'pending' ? stage.nextAttemptAt.toISOString() : null,
  settled_at: stage.stage === 'pending' ? null : now.toISOString(),
})
