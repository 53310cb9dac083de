import type { Alignment } from './align.ts'
import type { DomainIndex } from './build.ts'
import type { PreparedQuery } from './query.ts'
import type { Adjustment, AdjustmentCode, MatchExplanation, TokenExplanation } from './types.ts'

/** Rounds to the four decimals that scores have. */
export function roundScore(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/**
 * Splits a score into the mean similarity of its pairs and the adjustments for gaps, evidence, alias quality and birth
 * date. The adjustment `word_weights` absorbs the rounding of the others, so that the parts add up to `score`.
 */
export function explain(
  query: PreparedQuery,
  alignment: Alignment,
  index: DomainIndex,
  matchAdjustments: readonly Adjustment[],
  score: number,
): MatchExplanation {
  const tokens = alignment.pairs.map(
    (pair): TokenExplanation => ({
      query: query.tokens[pair.tokenIndex]!.token.text,
      listed: listedText(pair.slot, index),
      similarity: roundScore(pair.similarity),
    }),
  )
  const adjustments = [
    adjustment('unmatched_query', alignment.queryDelta),
    adjustment('unmatched_listed', alignment.listedDelta),
    adjustment('single_token_evidence', alignment.evidenceDelta),
    ...matchAdjustments,
  ].filter(({ delta }) => delta !== 0)
  const mean = tokens.length === 0 ? 0 : sum(tokens.map(({ similarity }) => similarity)) / tokens.length
  const remainder = score - mean - sum(adjustments.map(({ delta }) => delta))
  const weightDelta = Math.round(remainder * 1e6) / 1e6
  return {
    tokens,
    unmatched_query: alignment.unmatchedQuery.map((i) => query.tokens[i]!.token.text),
    unmatched_listed: alignment.unmatchedListed.map((slot) => listedText(slot, index)),
    adjustments:
      weightDelta === 0 ? adjustments : [{ code: 'word_weights', delta: weightDelta }, ...adjustments],
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, part) => total + part, 0)
}

function adjustment(code: AdjustmentCode, delta: number): Adjustment {
  return { code, delta: roundScore(delta) }
}

function listedText(slot: number, index: DomainIndex): string {
  return index.vocabulary.words.text[index.nameWord[slot]!]!
}
