export type RefreshSchedule = {
  /** Hours between two checks of a source that responds. */
  checkHours: number
  /** Age in days at which a list is downloaded unconditionally. */
  refetchDays: number
}

type RefreshState = {
  fetchedAt: Date | null
  attemptedAt: Date | null
  failures: number
}

const hourMs = 3_600_000
const firstRetryMs = 10 * 60_000

/**
 * Whether a source is due for a check. Checks are `checkHours` apart, less a random jitter of up to a tenth so that
 * many installations do not send their requests at the same time. After a failure, retries back off exponentially
 * from ten minutes up to that interval.
 * @param random from 0 to 1
 */
export function isDue(
  state: RefreshState | null,
  now: Date,
  schedule: RefreshSchedule,
  random: number,
): boolean {
  if (state?.attemptedAt == null) return true
  const regular = schedule.checkHours * hourMs
  const interval =
    state.failures === 0 ? regular : Math.min(regular, firstRetryMs * 2 ** (state.failures - 1))
  return now.getTime() - state.attemptedAt.getTime() >= interval * (1 - 0.1 * random)
}

/** Whether the stored copy is too old to rely on a 304 response. */
export function mustRefetch(state: RefreshState, now: Date, schedule: RefreshSchedule): boolean {
  return (
    state.fetchedAt === null ||
    now.getTime() - state.fetchedAt.getTime() >= schedule.refetchDays * 24 * hourMs
  )
}
