export type RefreshSchedule = {
  /** Hours between two checks of a source that answers. */
  checkHours: number
  /** Age in days from which a list is fetched anew, whatever its source says. */
  refetchDays: number
}

export type RefreshState = {
  fetchedAt: Date | null
  attemptedAt: Date | null
  failures: number
}

const hourMs = 3_600_000
const firstRetryMs = 10 * 60_000

/**
 * Whether a source is to be asked now. Checks come `checkHours` apart, up to a tenth earlier at random, so that many
 * installations do not ask at one moment; after a failure sooner, doubling from ten minutes up to that interval.
 * @param random 0 to 1
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

/** Whether the stored copy is too old to trust the source's word that nothing changed. */
export function mustRefetch(state: RefreshState, now: Date, schedule: RefreshSchedule): boolean {
  return (
    state.fetchedAt === null ||
    now.getTime() - state.fetchedAt.getTime() >= schedule.refetchDays * 24 * hourMs
  )
}
