import type { DomainIndex } from './build.ts'
import { maxMinorWeight, tokensOf } from './parse-names.ts'
import type { QueryToken } from './query-token.ts'
import { isClassKey, rarityKey, rarityOf } from './rarity.ts'
import type { NameDomain, Token } from './tokens.ts'
import { type SimilarWords, similarWords } from './vocabulary.ts'
import { wordOf } from './word.ts'
import { joinedTokens, splitTokens } from './word-boundaries.ts'

/** A query, tokenised for one domain. Tokens are sorted, so word order has no effect. */
export type PreparedQuery = {
  tokens: QueryToken[]
  /** Cost of leaving each token unmatched: its weight, or a fraction of it when it repeats an earlier token. */
  gapWeights: number[]
}

/** A repeated word adds little evidence. */
const repeatedTokenFactor = 0.2

/** Bounds the memory of the token cache (some hundred bytes per token). */
const maxCachedTokens = 20_000
const noSimilarWords: SimilarWords = similarWords(new Uint32Array(0), new Float64Array(0))

/** The variants of a query: first as given, then with words joined or split where that yields words of the lists. */
export function prepareQuery(text: string, index: DomainIndex): PreparedQuery[] {
  const tokens = tokensOf(text, index.domain).sort(
    (a, b) => compareText(a.text, b.text) || compareText(a.script, b.script),
  )
  const variants = mayRejoinWords(tokens, index.domain)
    ? [...joinedTokens(tokens, index.vocabulary), ...splitTokens(tokens, index.vocabulary)]
    : []
  return [tokens, ...variants].map((variant) =>
    withGapWeights(variant.map((token) => prepareToken(token, index))),
  )
}

function withGapWeights(tokens: QueryToken[]): PreparedQuery {
  const gapWeights = tokens.map(({ word, weight }, i) => {
    const repeated = tokens.some((other, before) => before < i && other.word.text === word.text)
    return repeated ? weight * repeatedTokenFactor : weight
  })
  return { tokens, gapWeights }
}

/** Outside the person domain, only a query with a business word is rejoined: Alex Song is not Alexsong Ltd. */
function mayRejoinWords(tokens: readonly Token[], domain: NameDomain): boolean {
  return domain === 'person' || tokens.some(({ kind }) => kind === 'legal_form' || kind === 'generic')
}

/** Cached, because given names recur from query to query. */
function prepareToken(token: Token, index: DomainIndex): QueryToken {
  const key = `${token.kind} ${token.script} ${token.base} ${token.text}`
  const known = index.tokenCache.get(key)
  if (known !== undefined) return known
  const prepared = lookUp(token, index)
  if (index.tokenCache.size >= maxCachedTokens) index.tokenCache.clear()
  index.tokenCache.set(key, prepared)
  return prepared
}

function lookUp(token: Token, index: DomainIndex): QueryToken {
  const initial = token.kind === 'initial'
  const minor = !initial && token.base <= maxMinorWeight
  const word = wordOf(token, index.domain, index.vocabulary.frequencyOf(token))
  const similar = initial
    ? noSimilarWords
    : minor
      ? exactWordOnly(token, index)
      : index.vocabulary.findSimilar(word)
  const key = rarityKey(word)
  const rarity = minor ? 1 : (index.rarityByKey.get(key) ?? rarityOf(0, 0, isClassKey(key)))
  return { token, word, weight: token.base * rarity, minor: minor, initial, similar }
}

/** A minor word matches only itself, and only in names where it is a full name word (the family name Hajji). */
function exactWordOnly(token: Token, index: DomainIndex): SimilarWords {
  const id = index.vocabulary.idOf(token)
  if (id < 0 || index.postingStart[id] === index.postingStart[id + 1]) return noSimilarWords
  return similarWords(Uint32Array.of(id), Float64Array.of(1))
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
