import type { Alignment } from './align.ts'
import type { DomainIndex } from './build.ts'
import type { PreparedQuery } from './query.ts'
import type { Adjustment, AdjustmentCode, MatchExplanation, TokenExplanation } from './types.ts'

/** Scores and their parts have four decimals. */
export function roundScore(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/**
 * The parts of a score: what each pair contributes to the mean likeness, what the gaps take, and the given further
 * adjustments. Parts are rounded and the first pair carries the rest, so the sum is the score itself.
 */
export function explain(
  query: PreparedQuery,
  alignment: Alignment,
  index: DomainIndex,
  further: readonly Adjustment[],
  score: number,
): MatchExplanation {
  const weight = alignment.pairs.reduce((sum, pair) => sum + pair.weight, 0)
  const tokens = alignment.pairs.map(
    (pair): TokenExplanation => ({
      query: query.tokens[pair.query]!.token.text,
      listed: listedText(pair.slot, index),
      similarity: roundScore(pair.value),
      contribution: roundScore((pair.weight * pair.value) / weight),
    }),
  )
  const adjustments = [
    adjustment('unmatched_query', alignment.queryDelta),
    adjustment('unmatched_listed', alignment.listedDelta),
    adjustment('single_token_evidence', alignment.evidenceDelta),
    ...further,
  ].filter(({ delta }) => delta !== 0)
  const sum = [...tokens.map((token) => token.contribution), ...adjustments.map(({ delta }) => delta)].reduce(
    (total, part) => total + part,
    0,
  )
  const [first] = tokens
  if (first !== undefined) first.contribution = roundScore(first.contribution + score - sum)
  return {
    tokens,
    unmatched_query: alignment.unmatchedQuery.map((at) => query.tokens[at]!.token.text),
    unmatched_listed: alignment.unmatchedListed.map((slot) => listedText(slot, index)),
    adjustments,
  }
}

function adjustment(code: AdjustmentCode, delta: number): Adjustment {
  return { code, delta: roundScore(delta) }
}

function listedText(slot: number, index: DomainIndex): string {
  return index.vocabulary.words[index.nameWord[slot]!]!.text
}
