import { type AmlAnswer, type AmlQuery, toTimestamp } from '@kyc/common'
import { maxMatches, searchLists, standaloneMinNameScore } from '../domain/screening/screen-name.ts'
import type { ActiveLists, ListSnapshot } from '../serving/serving-lists.ts'

/** One standalone answer, from one state of the lists. */
export function answerFor(serving: ListSnapshot, lists: ActiveLists, at: Date, query: AmlQuery): AmlAnswer {
  const result = searchLists({
    index: serving.index,
    lists: lists.infos(serving),
    query,
    minNameScore: standaloneMinNameScore,
    listIds: null,
    entityType: null,
  })
  return {
    matches: result.matches.slice(0, maxMatches),
    screened_at: toTimestamp(at),
    lists: result.lists,
    warnings: result.warnings.map(({ code, severity, message }) => ({ code, severity, message })),
  }
}
