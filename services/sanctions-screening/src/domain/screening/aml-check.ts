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
import type { ListSearchResult } from './search-lists.ts'

const engine = { name: 'kyc-sanctions', version: '1' } as const

const unreviewed = { status: 'unreviewed', reviewed_by: null, reviewed_at: null, note: null } as const

/** The reviewer and the note are stored with the session that was reviewed, and are not copied to another one. */
const reviewOf = (verdict: { reviewed_at: string } | undefined): z.output<typeof matchReview> =>
  verdict === undefined
    ? { ...unreviewed }
    : { status: 'false_positive', reviewed_by: null, reviewed_at: verdict.reviewed_at, note: null }

type AmlCheckInput = {
  identity: Identity | null
  /** Null when there was no name to screen. */
  result: ListSearchResult | null
  /** Minimum name score, from the workflow. */
  threshold: number
  /** RFC 3339 UTC. */
  startedAt: string
  screenedAt: string
  /** Known false positives for this person and the current version of the entity, by match id. */
  falsePositives?: ReadonlyMap<string, { reviewed_at: string }>
}

/**
 * A session's `aml` check. A match is a warning, never a failure, because a name match alone must not decline a person.
 * A known false positive is included with its review and causes no warning. A check that searched no list is an error,
 * never a pass.
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
        `The name is similar to ${open.length} listed ${open.length === 1 ? 'entity' : 'entities'}.`,
        { field: 'full_name' },
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
    engine: { ...engine },
  }
}

/** The ids of a check's matches that need a review: all except known false positives. */
export function openMatchIds(check: Check): string[] {
  const { matches } = check.data as { matches?: readonly AmlMatch[] }
  return (matches ?? [])
    .filter((match) => match.review?.status !== 'false_positive')
    .map((match) => match.match_id)
}

function checkWithoutName(threshold: number, startedAt: string, screenedAt: string): Check {
  const message = 'No name could be read, so nothing was screened.'
  return {
    kind: 'aml',
    status: 'warning',
    score: null,
    data: { matches: [], lists: [], screened_name: null, threshold, screened_at: screenedAt },
    warnings: [warningOf('aml', 'insufficient_identity_data', message, { field: 'full_name' })],
    attempts: 1,
    started_at: startedAt,
    completed_at: screenedAt,
    engine: { ...engine },
  }
}

function statusOf(warnings: readonly Warning[], lists: readonly ListInfo[]): Check['status'] {
  if (lists.length === 0) return 'error'
  return warnings.some((warning) => warning.severity !== 'low') ? 'warning' : 'passed'
}

/** 0 without a match. */
function highestNameScore(matches: readonly AmlMatch[]): number {
  return matches.reduce((highest, match) => Math.max(highest, match.name_score), 0)
}
