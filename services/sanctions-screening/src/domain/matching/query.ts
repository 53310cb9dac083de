import type { DomainIndex } from './build.ts'
import { maxMinorWeight, tokensOf } from './parse-names.ts'
import type { QueryToken } from './query-token.ts'
import { isClassKey, rarityKey, rarityOf } from './rarity.ts'
import type { NameDomain, Token } from './tokens.ts'
import { type SimilarWords, similarWords } from './vocabulary.ts'
import { wordOf } from './word.ts'
import { joinedTokens, splitTokens } from './word-boundaries.ts'

/** A name to look for, in the words of one domain. Tokens are sorted, so the order of the text changes nothing. */
export type PreparedQuery = {
  tokens: QueryToken[]
  /** What each token costs where nothing matches it: its weight, or little where it repeats one before. */
  gapWeights: number[]
}

/** A word that is there twice says little more than once. */
const repeatedTokenFactor = 0.2

/** Bounds the memory of kept tokens (some hundred bytes each). */
const maxCachedTokens = 20_000
const noSimilarWords: SimilarWords = similarWords(new Uint32Array(0), new Float64Array(0))

/** The readings of a name: as it stands first; then with words joined or split where the list writes them so. */
export function prepareQuery(text: string, index: DomainIndex): PreparedQuery[] {
  const tokens = tokensOf(text, index.domain).sort(
    (a, b) => compareText(a.text, b.text) || compareText(a.script, b.script),
  )
  const variants = mayRejoinWords(tokens, index.domain)
    ? [...joinedTokens(tokens, index.vocabulary), ...splitTokens(tokens, index.vocabulary)]
    : []
  return [tokens, ...variants].map((reading) =>
    withGapWeights(reading.map((token) => prepareToken(token, index))),
  )
}

function withGapWeights(tokens: QueryToken[]): PreparedQuery {
  const gapWeights = tokens.map(({ word, weight }, i) => {
    const repeated = tokens.some((other, before) => before < i && other.word.text === word.text)
    return repeated ? weight * repeatedTokenFactor : weight
  })
  return { tokens, gapWeights }
}

/** A person's name without a word of business is not pressed into the name of a firm: Alex Song is not Alexsong Ltd. */
function mayRejoinWords(tokens: readonly Token[], domain: NameDomain): boolean {
  return domain === 'person' || tokens.some(({ kind }) => kind === 'legal_form' || kind === 'generic')
}

/** Given names recur from query to query, so the last tokens are kept. */
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

/** A small word finds the names in which it is more than that (the family name Hajji), and only letter for letter. */
function exactWordOnly(token: Token, index: DomainIndex): SimilarWords {
  const id = index.vocabulary.idOf(token)
  if (id < 0 || index.postingStart[id] === index.postingStart[id + 1]) return noSimilarWords
  return similarWords(Uint32Array.of(id), Float64Array.of(1))
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
