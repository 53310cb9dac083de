/** When the attempts of a delivery happen. Delays come from configuration only. */
export type RetrySchedule = {
  /** Delays before attempts 2, 3, ...: one fewer than there are attempts. */
  delaysMs: readonly number[]
  /** Maximum random jitter as a share of the delay, so that retries to a receiver do not arrive in bursts. */
  jitterRatio: number
}

/** Interface, section 6.4: 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h. */
export const standardDelaysSeconds: readonly number[] = [30, 120, 600, 1_800, 3_600, 10_800, 21_600]

export const maxAttempts = (schedule: RetrySchedule): number => schedule.delaysMs.length + 1

/**
 * When the attempt after `attemptsMade` is due, counted from the end of the last one; null if none is left. Jitter is
 * only added, so no attempt is early. `random` is in [0, 1).
 */
export function nextAttemptAt(
  schedule: RetrySchedule,
  attemptsMade: number,
  lastEndedAt: Date,
  random: () => number,
): Date | null {
  const delayMs = schedule.delaysMs[attemptsMade - 1]
  if (delayMs === undefined) return null
  return new Date(lastEndedAt.getTime() + delayMs + Math.floor(delayMs * schedule.jitterRatio * random()))
}
