import {
  type AmlMatch,
  type Check,
  type Identity,
  type ListInfo,
  type matchReview,
  type Warning,
  warningOf,
} from '@kyc/common'
import type { z } from 'zod'
import type { ListSearchResult } from './screen-name.ts'

export const amlEngine = { name: 'kyc-sanctions', version: '1' } as const

const unreviewed = { status: 'unreviewed', reviewed_by: null, reviewed_at: null, note: null } as const

/** Who reviewed it and why stays with the session where it was reviewed. */
const reviewOf = (review: { reviewed_at: string } | undefined): z.output<typeof matchReview> =>
  review === undefined
    ? { ...unreviewed }
    : { status: 'false_positive', reviewed_by: null, reviewed_at: review.reviewed_at, note: null }

export type AmlCheckInput = {
  identity: Identity | null
  /** Null when there was no name to screen. */
  result: ListSearchResult | null
  /** Least name score, from the workflow. */
  threshold: number
  /** RFC 3339 UTC. */
  startedAt: string
  screenedAt: string
  /** Matches that a reviewer has called false for this person and the present version of the entity, by match id. */
  falsePositives?: ReadonlyMap<string, { reviewed_at: string }>
}

/**
 * A session's `aml` check. A match is a warning, never a failure: sanctions alone decline nobody. A remembered false
 * positive is shown with its review and warns of nothing. A check that screened nothing is an error, never a pass.
 */
export function amlCheck({
  identity,
  result,
  threshold,
  startedAt,
  screenedAt,
  falsePositives = new Map(),
}: AmlCheckInput): Check {
  if (result === null) return checkWithoutName(threshold, startedAt, screenedAt)
  const matches = result.matches.map((match) => ({
    ...match,
    review: reviewOf(falsePositives.get(match.match_id)),
  }))
  const open = matches.filter(({ review }) => review.status !== 'false_positive')
  const warnings = [...result.warnings]
  if (open.length > 0) {
    warnings.push(
      warningOf(
        'aml',
        'aml_potential_match',
        `${open.length} listed ${open.length === 1 ? 'entity is' : 'entities are'} like this person.`,
        {
          field: 'full_name',
        },
      ),
    )
  }
  return {
    kind: 'aml',
    status: statusOf(warnings, result.lists),
    score: result.lists.length === 0 ? null : highestNameScore(open),
    data: {
      matches,
      lists: result.lists,
      screened_name: identity?.full_name ?? null,
      threshold,
      screened_at: screenedAt,
    },
    warnings,
    attempts: 1,
    started_at: startedAt,
    completed_at: screenedAt,
    engine: { ...amlEngine },
  }
}

function checkWithoutName(threshold: number, startedAt: string, screenedAt: string): Check {
  const message = 'No name could be read: nothing was screened.'
  return {
    kind: 'aml',
    status: 'warning',
    score: null,
    data: { matches: [], lists: [], screened_name: null, threshold, screened_at: screenedAt },
    warnings: [warningOf('aml', 'insufficient_identity_data', message, { field: 'full_name' })],
    attempts: 1,
    started_at: startedAt,
    completed_at: screenedAt,
    engine: { ...amlEngine },
  }
}

function statusOf(warnings: readonly Warning[], lists: readonly ListInfo[]): Check['status'] {
  if (lists.length === 0) return 'error'
  return warnings.some((warning) => warning.severity !== 'low') ? 'warning' : 'passed'
}

/** Top name score of what is not known to be false: 0 without a match. */
function highestNameScore(matches: readonly AmlMatch[]): number {
  return matches.reduce((top, match) => Math.max(top, match.name_score), 0)
}
