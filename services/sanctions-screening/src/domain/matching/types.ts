import type { EntityType, ListId } from '../entity.ts'

/** What is asked: one name, with what else is known of its bearer. */
export type ScreeningQuery = {
  /** Any script, any order of names. */
  full_name: string
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  date_of_birth?: string | null
  /** ISO 3166-1 alpha-3. */
  nationality?: string | null
  /** Only entities of this type; absent: all types. */
  entity_type?: EntityType | null
}

export type ScreeningOptions = {
  /** Least `name_score` that is returned, 0 to 1. */
  floor: number
  /** Most matches returned. */
  limit: number
  /** List ids to search; absent or null: every list of the index. */
  lists?: readonly string[] | null
}

export type MatchedNameType = 'primary' | 'alias' | 'weak_alias'

/** One aligned pair; `similarity` is 0 to 1. */
export type TokenExplanation = {
  query: string
  listed: string
  similarity: number
}

export type AdjustmentCode =
  /** Pairs of rare and full words weigh more than the plain mean gives them, pairs of common or small words less. */
  | 'word_weights'
  /** Parts of the query that the listed name lacks. */
  | 'unmatched_query'
  /** Parts of the listed name that the query lacks. */
  | 'unmatched_listed'
  /** One name part alone is held against a longer listed name. */
  | 'single_token_evidence'
  /** The publisher itself calls the alias weak. */
  | 'weak_alias'
  | 'date_of_birth_match'
  | 'date_of_birth_mismatch'
  /** Keeps the score within 0 and 1. */
  | 'clamp'

export type Adjustment = {
  code: AdjustmentCode
  delta: number
}

/** The mean `similarity` of the tokens plus every `delta` is the match's `score` (to the sixth decimal). */
export type MatchExplanation = {
  tokens: TokenExplanation[]
  unmatched_query: string[]
  unmatched_listed: string[]
  adjustments: Adjustment[]
}

export type Match = {
  /** Stable over list updates: hash of list and entity id. */
  match_id: string
  list: ListId
  list_version: string
  entity_id: string
  entity_type: EntityType
  /** Primary name as listed. */
  name: string
  matched_name: string
  matched_name_type: MatchedNameType
  /** `name_score` with the date of birth, 0 to 1: the order of the answer. */
  score: number
  /** Name alone, 0 to 1: the floor applies to it. */
  name_score: number
  /** null: the query or the list gives no date. */
  date_of_birth_match: boolean | null
  dates_of_birth: string[]
  nationalities: string[]
  /** Present when the query and the list both name nationalities. */
  nationality_match?: boolean
  programs: string[]
  listed_on: string | null
  remarks: string | null
  source_url: string | null
  explanation: MatchExplanation
}
