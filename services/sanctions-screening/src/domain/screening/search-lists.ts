import { type AmlMatch, type AmlQuery, type ListInfo, type Warning, warningOf } from '@kyc/common'
import type { EntityType } from '../entity.ts'
import { type ScreeningIndex, screen } from '../matching/index.ts'

/** Minimum name score of a standalone screening; a session uses the threshold of its workflow. */
export const standaloneMinNameScore = 0.8
export const maxMatches = 10
/** High enough that entities matched before do not push an updated entity out of the result. */
export const maxMonitoringMatches = 100

export type ListSearch = {
  index: ScreeningIndex
  /** The lists in the index. */
  lists: readonly ListInfo[]
  query: AmlQuery
  /** 0 to 1. */
  minNameScore: number
  /** List ids to search; null searches all. */
  listIds: readonly string[] | null
  entityType: EntityType | null
}

export type ListSearchResult = {
  /** Highest score first. */
  matches: AmlMatch[]
  /** The lists that were searched. */
  lists: ListInfo[]
  warnings: Warning[]
}

/**
 * Searches the lists for one name. At most ten matches; the warnings report what limits the result, such as a list that
 * is missing or stale.
 */
export function searchLists(search: ListSearch): ListSearchResult {
  const { lists, listIds, query } = search
  const searched = lists.filter((list) => listIds === null || listIds.includes(list.list))
  const warnings = listWarnings(searched, listIds)
  if (searched.length === 0) return { matches: [], lists: [], warnings }
  if (isSingleWord(query.full_name)) {
    warnings.push(
      warningOf('aml', 'single_token_name', 'The name is a single word, so few matches can be certain.', {
        field: 'full_name',
      }),
    )
  }
  return { matches: screenLists(search, searched, maxMatches), lists: searched, warnings }
}

/**
 * As `searchLists`, and appends the matches among `newMatches` that better, older matches push out of the first ten: a
 * reviewer must see what the list update brought.
 */
export function searchListsForMonitoring(
  search: ListSearch,
  newMatches: ReadonlySet<string>,
): ListSearchResult {
  const result = searchLists(search)
  if (result.lists.length === 0) return result
  const shown = new Set(result.matches.map(({ match_id }) => match_id))
  const pushedOut = screenLists(search, result.lists, maxMonitoringMatches).filter(
    ({ match_id }) => newMatches.has(match_id) && !shown.has(match_id),
  )
  return { ...result, matches: [...result.matches, ...pushedOut] }
}

function screenLists(
  { index, query, entityType, minNameScore }: ListSearch,
  lists: readonly ListInfo[],
  limit: number,
): AmlMatch[] {
  return screen(
    index,
    { ...query, entity_type: entityType },
    { floor: minNameScore, limit, lists: lists.map(({ list }) => list) },
  )
}

function listWarnings(searched: readonly ListInfo[], listIds: readonly string[] | null): Warning[] {
  if (searched.length === 0) {
    return [warningOf('aml', 'lists_not_loaded', 'No sanctions list is loaded, so nothing was screened.')]
  }
  const warnings: Warning[] = []
  const missing = listIds?.filter((id) => !searched.some((list) => list.list === id)) ?? []
  if (missing.length > 0) {
    warnings.push(
      warningOf('aml', 'list_load_failed', `Not searched because not loaded: ${missing.join(', ')}.`, {
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
        `The latest version could not be fetched, so an earlier version was searched: ${stale.join(', ')}.`,
        { details: { lists: stale } },
      ),
    )
  }
  return warnings
}

function isSingleWord(name: string): boolean {
  const words = name.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? []
  // Scripts that do not separate words write a whole name as one word.
  return words.length < 2 && !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Kana}]{2,}/u.test(name)
}
