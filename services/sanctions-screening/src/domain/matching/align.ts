import { type DomainIndex, initialFlag, minorFlag } from './build.ts'
import type { ListedWords } from './listed-words.ts'
import type { PreparedQuery } from './query.ts'
import type { QueryToken } from './query-token.ts'
import { wordSimilarity } from './similarity.ts'
import { similarityOf } from './vocabulary.ts'
import type { Word } from './word.ts'

/** A query token aligned with a listed word. A slot is the position of one word of one name in the index. */
type AlignedPair = {
  tokenIndex: number
  slot: number
  similarity: number
  weight: number
}

export type Alignment = {
  /** Similarity of the two names, 0 to 1. */
  score: number
  pairs: AlignedPair[]
  /** Token indexes in the query. */
  unmatchedQuery: number[]
  /** Slots of the index. */
  unmatchedListed: number[]
  /** What unmatched words of each side and weak evidence subtract from the mean similarity. Never positive. */
  queryDelta: number
  listedDelta: number
  evidenceDelta: number
}

/** Unmatched query tokens cost more than unmatched listed words, because lists give longer names than people use. */
export const queryGapWeight = 0.65
export const listedGapWeight = 0.25
/** Words unmatched on both sides contradict each other, as two middle names do. Applies to the lighter side. */
export const contradictionWeight = 0.5
/** An initial that agrees with a name is weak evidence. */
const initialSimilarity = 0.85
export const initialWeight = 0.35
/** Applies when a single word is all that matches between longer names. */
const singleTokenPenalty = 0.12

/**
 * Aligns a query with one listed name, in any word order: the best pairs first, each word at most once, then
 * initials. score = sum(weight x similarity) / (sum(weight) + weighted gaps of both sides + contradiction) -
 * single-token penalty.
 */
export function alignName(query: PreparedQuery, name: number, index: DomainIndex): Alignment {
  const start = index.nameStart[name]!
  const end = index.nameStart[name + 1]!
  const slots = end - start
  const usedQuery = new Uint8Array(query.tokens.length)
  const usedListed = new Uint8Array(slots)
  const pairs: AlignedPair[] = []
  const takeIfFree = (pair: AlignedPair) => {
    if (usedQuery[pair.tokenIndex] === 1 || usedListed[pair.slot - start] === 1) return
    usedQuery[pair.tokenIndex] = 1
    usedListed[pair.slot - start] = 1
    pairs.push(pair)
  }
  for (const pair of candidatePairs(query, start, end, index)) takeIfFree(pair)
  for (const pair of initialPairs(query, start, end, index, usedQuery, usedListed)) takeIfFree(pair)
  return scoreAlignment(query, start, end, index, pairs, usedQuery, usedListed)
}

function candidatePairs(query: PreparedQuery, start: number, end: number, index: DomainIndex): AlignedPair[] {
  const candidates: AlignedPair[] = []
  query.tokens.forEach((token, i) => {
    for (let slot = start; slot < end; slot++) {
      const similarity = pairSimilarity(token, slot, index)
      if (similarity > 0)
        candidates.push({ tokenIndex: i, slot, similarity, weight: index.nameWordWeight[slot]! })
    }
  })
  return candidates.sort(
    (a, b) =>
      b.similarity * b.weight - a.similarity * a.weight ||
      b.similarity - a.similarity ||
      a.tokenIndex - b.tokenIndex ||
      a.slot - b.slot,
  )
}

function pairSimilarity(token: QueryToken, slot: number, index: DomainIndex): number {
  const id = index.nameWord[slot]!
  if (!token.minor && !token.initial && index.nameWordFlag[slot] === 0) return similarityOf(token.similar, id)
  const { words } = index.vocabulary
  if (token.word.text === words.text[id]) return 1
  // A minor word matches only its own variants: al and el, haji and hajji.
  if (!token.minor || index.nameWordFlag[slot] !== minorFlag) return 0
  return token.word.classes.length > 0 ? wordSimilarity(token.word, words, id, index.domain) : 0
}

/** Pairs of an unmatched initial with an unmatched name that begins with its letter. */
function initialPairs(
  query: PreparedQuery,
  start: number,
  end: number,
  index: DomainIndex,
  usedQuery: Uint8Array,
  usedListed: Uint8Array,
): AlignedPair[] {
  const pairs: AlignedPair[] = []
  query.tokens.forEach((token, i) => {
    if (usedQuery[i] === 1 || token.minor) return
    for (let slot = start; slot < end; slot++) {
      if (usedListed[slot - start] === 1) continue
      const flag = index.nameWordFlag[slot]
      const listedInitial = flag === initialFlag
      if (token.initial === listedInitial || flag === minorFlag) continue
      if (!sharesFirstLetter(token.word, index.vocabulary.words, index.nameWord[slot]!)) continue
      const fullWeight = token.initial ? index.nameWordWeight[slot]! : token.weight
      pairs.push({ tokenIndex: i, slot, similarity: initialSimilarity, weight: initialWeight * fullWeight })
    }
  })
  return pairs.sort((a, b) => b.weight - a.weight || a.tokenIndex - b.tokenIndex || a.slot - b.slot)
}

function sharesFirstLetter({ letters, symbols }: Word, listed: ListedWords, id: number): boolean {
  const letter = listed.letters[listed.lettersAt[id]!]
  const symbol = listed.symbols[listed.symbolsAt[id]!]
  return letters[0] === letter || symbols[0] === symbol || letters[0] === symbol || symbols[0] === letter
}

function scoreAlignment(
  query: PreparedQuery,
  start: number,
  end: number,
  index: DomainIndex,
  pairs: AlignedPair[],
  usedQuery: Uint8Array,
  usedListed: Uint8Array,
): Alignment {
  let weightedSum = 0
  let weight = 0
  let matchedNames = 0
  for (const pair of pairs) {
    weightedSum += pair.weight * pair.similarity
    weight += pair.weight
    if (index.nameWordFlag[pair.slot] === 0 && query.tokens[pair.tokenIndex]!.initial === false)
      matchedNames++
  }
  const unmatchedQuery: number[] = []
  let queryGap = 0
  query.tokens.forEach((_, i) => {
    if (usedQuery[i] === 1) return
    unmatchedQuery.push(i)
    queryGap += query.gapWeights[i]!
  })
  const unmatchedListed: number[] = []
  let listedGap = 0
  let listedNames = 0
  const queryNames = query.tokens.filter((token) => !token.minor && !token.initial).length
  for (let slot = start; slot < end; slot++) {
    if (index.nameWordFlag[slot] === 0) listedNames++
    if (usedListed[slot - start] === 1) continue
    unmatchedListed.push(slot)
    listedGap += index.nameWordWeight[slot]!
  }
  const contradiction = contradictionWeight * Math.min(queryGap, listedGap)
  const queryCost = queryGapWeight * queryGap + contradiction
  const listedCost = listedGapWeight * listedGap
  const totalWeight = weight + queryCost + listedCost
  // Without a matched name, initials and minor words alone would match half of the list.
  if (matchedNames === 0) {
    return {
      score: 0,
      pairs: [],
      unmatchedQuery,
      unmatchedListed,
      queryDelta: 0,
      listedDelta: 0,
      evidenceDelta: 0,
    }
  }
  const mean = weightedSum / weight
  const queryDelta = (-mean * queryCost) / totalWeight
  const listedDelta = (-mean * listedCost) / totalWeight
  const baseScore = weightedSum / totalWeight
  const evidenceDelta =
    matchedNames <= 1 && Math.max(listedNames, queryNames) > 1 ? -Math.min(baseScore, singleTokenPenalty) : 0
  return {
    score: baseScore + evidenceDelta,
    pairs,
    unmatchedQuery,
    unmatchedListed,
    queryDelta,
    listedDelta,
    evidenceDelta,
  }
}
