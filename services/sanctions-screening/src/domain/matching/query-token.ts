import type { Token } from './tokens.ts'
import type { SimilarWords } from './vocabulary.ts'
import type { Word } from './word.ts'

/** A word of a query, looked up in an index. */
export type QueryToken = {
  token: Token
  word: Word
  /** Base weight by kind, times rarity. */
  weight: number
  minor: boolean
  initial: boolean
  /** Listed words alike to it; none for an initial. */
  similar: SimilarWords
}
