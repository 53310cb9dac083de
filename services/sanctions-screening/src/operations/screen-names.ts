import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AmlAnswer, AmlQuery } from '@kyc/common'
import type { ScreeningRun } from './begin-screening.ts'
import type { ScreeningDeps } from './deps.ts'
import { screenName } from './screen-name.ts'

export type BatchAnswer = { id: string; answer: AmlAnswer }

/** Names screened before yielding to the event loop, so that a large batch does not block other requests. */
const namesPerTurn = 8

/**
 * Screens the names of a batch in order, all against one list snapshot. A name is screened when its answer is
 * requested.
 */
export async function* screenNames(
  deps: Pick<ScreeningDeps, 'activeLists'>,
  run: ScreeningRun,
  names: readonly (AmlQuery & { id: string })[],
): AsyncGenerator<BatchAnswer> {
  for (const [i, { id, ...query }] of names.entries()) {
    yield { id, answer: screenName(deps, run, query) }
    if (i % namesPerTurn === namesPerTurn - 1) await nextTurn()
  }
}
