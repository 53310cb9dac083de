import { type AmlMatch, type AmlQuery, type ListInfo, type Warning, warningOf } from '@kyc/common'
import type { EntityType } from '../entity.ts'
import { type ScreeningIndex, screen } from '../matching/index.ts'

/** Least name score of a standalone answer; sessions have their workflow's. */
export const standaloneMinNameScore = 0.8
export const maxMatches = 10

export type ListSearch = {
  index: ScreeningIndex
  /** The lists that the index holds. */
  lists: readonly ListInfo[]
  query: AmlQuery
  /** Least name score, 0 to 1. */
  minNameScore: number
  /** List ids to search; null: all. */
  listIds: readonly string[] | null
  entityType: EntityType | null
}

export type ListSearchResult = {
  /** Best score first, at most ten. */
  matches: AmlMatch[]
  /** The lists that were searched. */
  lists: ListInfo[]
  warnings: Warning[]
}

/** Screens one name and says what the answer is worth: which lists were searched, and what was missing. */
export function searchLists({
  index,
  lists,
  query,
  minNameScore,
  listIds,
  entityType,
}: ListSearch): ListSearchResult {
  const searched = lists.filter((list) => listIds === null || listIds.includes(list.list))
  const warnings = listWarnings(searched, listIds)
  if (searched.length === 0) return { matches: [], lists: [], warnings }
  if (isSingleWord(query.full_name)) {
    warnings.push(
      warningOf('aml', 'single_token_name', 'A name of one word finds little that is certain.', {
        field: 'full_name',
      }),
    )
  }
  const matches = screen(
    index,
    { ...query, entity_type: entityType },
    { floor: minNameScore, limit: maxMatches, lists: searched.map((list) => list.list) },
  )
  return { matches, lists: searched, warnings }
}

function listWarnings(searched: readonly ListInfo[], listIds: readonly string[] | null): Warning[] {
  if (searched.length === 0) {
    return [warningOf('aml', 'lists_not_loaded', 'No sanctions list is loaded: nothing was screened.')]
  }
  const warnings: Warning[] = []
  const missing = listIds?.filter((id) => !searched.some((list) => list.list === id)) ?? []
  if (missing.length > 0) {
    warnings.push(
      warningOf('aml', 'list_load_failed', `Not loaded and not searched: ${missing.join(', ')}.`, {
        details: { lists: missing },
      }),
    )
  }
  const stale = searched.filter((list) => list.status !== 'ok').map((list) => list.list)
  if (stale.length > 0) {
    warnings.push(
      warningOf(
        'aml',
        'list_stale',
        `Could not be refreshed, an earlier version was searched: ${stale.join(', ')}.`,
        { details: { lists: stale } },
      ),
    )
  }
  return warnings
}

function isSingleWord(name: string): boolean {
  const words = name.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? []
  // Scripts without blanks between words write whole names as one.
  return words.length < 2 && !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Kana}]{2,}/u.test(name)
}
