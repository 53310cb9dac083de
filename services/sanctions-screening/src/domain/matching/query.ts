import { type DomainIndex, isClassKey, rarityKey, smallWeight } from './build.ts'
import { tokensOf } from './parseNames.ts'
import { rarityOf } from './rarity.ts'
import type { Word } from './similarity.ts'
import type { Token } from './tokens.ts'
import type { SimilarWords } from './vocabulary.ts'
import { wordOf } from './word.ts'

export interface QueryToken {
  token: Token
  word: Word
  /** Base weight by kind, times rarity. */
  weight: number
  small: boolean
  initial: boolean
  /** Listed words alike to it, empty for small tokens and initials. */
  similar: SimilarWords
}

/** A name to look for, in the words of one domain. Tokens are sorted, so the order of the text changes nothing. */
export interface PreparedQuery {
  tokens: QueryToken[]
}

const nothing: SimilarWords = { ids: new Uint32Array(0), values: new Float32Array(0), valueOf: new Map() }

export function prepareQuery(text: string, index: DomainIndex): PreparedQuery {
  const tokens = tokensOf(text, index.domain)
    .sort((a, b) => compare(a.text, b.text) || compare(a.script, b.script))
    .map((token) => prepareToken(token, index))
  return { tokens }
}

export function prepareToken(token: Token, index: DomainIndex): QueryToken {
  const initial = token.kind === 'initial'
  const small = !initial && token.base <= smallWeight
  const listedId = index.vocabulary.idOf(token)
  const frequency = listedId < 0 ? 0 : index.vocabulary.words[listedId]!.frequency
  const word = wordOf(token, index.domain, frequency)
  const similar = small || initial ? nothing : index.vocabulary.similarTo(word)
  const key = rarityKey(word)
  const rarity = small ? 1 : (index.rarityByKey.get(key) ?? rarityOf(0, 0, isClassKey(key)))
  return { token, word, weight: token.base * rarity, small, initial, similar }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
