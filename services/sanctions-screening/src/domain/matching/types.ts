import type { EntityType, ListId } from '../entity.ts'

/** One name to screen, with the known details of the person or organisation. */
export type ScreeningQuery = {
  /** In any script and word order. */
  full_name: string
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  date_of_birth?: string | null
  /** ISO 3166-1 alpha-3. */
  nationality?: string | null
  /** Restricts the result to this type; absent means all types. */
  entity_type?: EntityType | null
}

export type ScreeningOptions = {
  /** Minimum `name_score` of a match, 0 to 1. */
  floor: number
  /** Maximum number of matches. */
  limit: number
  /** List ids to search; absent or null means every list of the index. */
  lists?: readonly string[] | null
}

type MatchedNameType = 'primary' | 'alias' | 'weak_alias'

/** A query token aligned with a listed word; `similarity` is 0 to 1. */
export type TokenExplanation = {
  query: string
  listed: string
  similarity: number
}

export type AdjustmentCode =
  /** Difference between the weighted and the unweighted mean: rare words count more than common or minor words. */
  | 'word_weights'
  /** Query words missing from the listed name. */
  | 'unmatched_query'
  /** Listed words missing from the query. */
  | 'unmatched_listed'
  /** Only one word matches, although one of the names is longer. */
  | 'single_token_evidence'
  /** The publisher marks the alias as weak. */
  | 'weak_alias'
  | 'date_of_birth_match'
  | 'date_of_birth_mismatch'
  /** Limits the score to the range 0 to 1. */
  | 'clamp'

export type Adjustment = {
  code: AdjustmentCode
  delta: number
}

/** The mean `similarity` of the tokens plus every `delta` equals the match's `score` (to six decimals). */
export type MatchExplanation = {
  tokens: TokenExplanation[]
  unmatched_query: string[]
  unmatched_listed: string[]
  adjustments: Adjustment[]
}

export type Match = {
  /** Hash of list and entity id, so it is stable across list updates. */
  match_id: string
  list: ListId
  list_version: string
  entity_id: string
  entity_type: EntityType
  /** Primary name as listed. */
  name: string
  matched_name: string
  matched_name_type: MatchedNameType
  /** `name_score` adjusted by the date of birth, 0 to 1. Matches are sorted by it. */
  score: number
  /** Score of the name alone, 0 to 1. The floor applies to it. */
  name_score: number
  /** Null when the query or the list gives no date. */
  date_of_birth_match: boolean | null
  dates_of_birth: string[]
  nationalities: string[]
  /** Present when both the query and the list entry give a nationality. */
  nationality_match?: boolean
  programs: string[]
  listed_on: string | null
  remarks: string | null
  source_url: string | null
  explanation: MatchExplanation
}
