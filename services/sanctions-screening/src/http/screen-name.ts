import { type AmlAnswer, type AmlQuery, toTimestamp } from '@kyc/common'
import { maxMatches, screenName, standaloneFloor } from '../domain/screening/screen-name.ts'
import type { Serving, ServingLists } from '../serving/serving-lists.ts'

/** One standalone answer, from one state of the lists. */
export function answerFor(serving: Serving, lists: ServingLists, at: Date, query: AmlQuery): AmlAnswer {
  const result = screenName({
    index: serving.index,
    lists: lists.infos(serving),
    query,
    floor: standaloneFloor,
    onlyLists: null,
    entityType: null,
  })
  return {
    matches: result.matches.slice(0, maxMatches),
    screened_at: toTimestamp(at),
    lists: result.lists,
    warnings: result.warnings.map(({ code, severity, message }) => ({ code, severity, message })),
  }
}
