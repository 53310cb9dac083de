import { type AmlAnswer, type AmlQuery, toTimestamp } from '@kyc/common'
import { maxMatches, searchLists, standaloneMinNameScore } from '../domain/screening/search-lists.ts'
import type { ScreeningRun } from './begin-screening.ts'
import type { ScreeningDeps } from './deps.ts'

/** Screens one name for a standalone request. */
export function screenName(
  { activeLists }: Pick<ScreeningDeps, 'activeLists'>,
  { snapshot, screenedAt }: ScreeningRun,
  query: AmlQuery,
): AmlAnswer {
  const result = searchLists({
    index: snapshot.index,
    lists: activeLists.infos(snapshot),
    query,
    minNameScore: standaloneMinNameScore,
    listIds: null,
    entityType: null,
  })
  return {
    matches: result.matches.slice(0, maxMatches),
    screened_at: toTimestamp(screenedAt),
    lists: result.lists,
    warnings: result.warnings.map(({ code, severity, message }) => ({ code, severity, message })),
  }
}
