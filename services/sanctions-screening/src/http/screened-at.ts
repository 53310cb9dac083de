import type { CallContext } from '@kyc/http'
import type { Clock } from '@kyc/runtime'
import type { ActiveLists, ListSnapshot } from '../serving/serving-lists.ts'

/**
 * When an answer was screened. A repetition under an Idempotency-Key is the first answer again while the lists are
 * those of then; where one was replaced since, it is a new answer, and not marked as a replay.
 */
export function screenedAt(
  serving: ListSnapshot,
  lists: ActiveLists,
  clock: Clock,
  { keyed, response }: Pick<CallContext, 'keyed' | 'response'>,
): Date {
  if (!keyed) return clock.now()
  const since = keyed.firstAt.getTime()
  // Versions carry whole seconds.
  const unchanged = lists.infos(serving).every(({ fetched_at }) => Date.parse(fetched_at) <= since)
  if (unchanged) return keyed.firstAt
  response.removeHeader('idempotent-replayed')
  return clock.now()
}
