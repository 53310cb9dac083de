import type { Token } from './tokens.ts'
import type { SimilarWords } from './vocabulary.ts'
import type { Word } from './word.ts'

/** A token of a query with its lookup results. */
export type QueryToken = {
  token: Token
  word: Word
  /** Base weight by kind, times rarity. */
  weight: number
  minor: boolean
  initial: boolean
  /** Similar listed words; empty for an initial. */
  similar: SimilarWords
}
