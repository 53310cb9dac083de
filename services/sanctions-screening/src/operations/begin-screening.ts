import type { ListSnapshot } from '../serving/active-lists.ts'
import type { ScreeningDeps } from './deps.ts'
import { waitForLists } from './wait-for-lists.ts'

/** What one answer, or every answer of a batch, is computed from. */
export type ScreeningRun = {
  snapshot: ListSnapshot
  screenedAt: Date
  /** True when the answer is the same as that of the first request with this Idempotency-Key. */
  isReplay: boolean
}

/**
 * Pins the list snapshot and the time of a standalone screening. A request repeated under an Idempotency-Key replays
 * the first answer while no list has changed since; otherwise it is a new answer.
 * @param firstRequestAt when the first request with the same Idempotency-Key began; null without a key
 */
export async function beginScreening(
  deps: Pick<ScreeningDeps, 'activeLists' | 'clock'>,
  firstRequestAt: Date | null,
): Promise<ScreeningRun> {
  const { activeLists, clock } = deps
  await waitForLists(deps)
  const snapshot = activeLists.snapshot()
  // `fetched_at` has second precision.
  const isReplay =
    firstRequestAt !== null &&
    activeLists.infos(snapshot).every(({ fetched_at }) => Date.parse(fetched_at) <= firstRequestAt.getTime())
  return { snapshot, screenedAt: isReplay ? firstRequestAt : clock.now(), isReplay }
}
