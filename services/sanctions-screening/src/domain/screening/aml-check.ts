import { type AmlMatch, type Check, type Identity, type ListInfo, type Warning, warningOf } from '@kyc/common'
import type { ScreenNameResult } from './screen-name.ts'

export const engine = { name: 'kyc-sanctions', version: '1' } as const

const unreviewed = { status: 'unreviewed', reviewed_by: null, reviewed_at: null, note: null } as const

export interface AmlCheckInput {
  identity: Identity | null
  /** Null when there was no name to screen. */
  result: ScreenNameResult | null
  /** Least name score, from the workflow. */
  threshold: number
  /** RFC 3339 UTC. */
  startedAt: string
  screenedAt: string
}

/**
 * A session's `aml` check. A match is a warning, never a failure: sanctions alone decline nobody. A check that screened
 * nothing is an error, never a pass.
 */
export function amlCheck({ identity, result, threshold, startedAt, screenedAt }: AmlCheckInput): Check {
  if (result === null) return withoutName(threshold, startedAt, screenedAt)
  const matches = result.matches.map((match) => ({ ...match, review: { ...unreviewed } }))
  const warnings = [...result.warnings]
  if (matches.length > 0) {
    warnings.push(
      warningOf(
        'aml',
        'aml_potential_match',
        `${matches.length} listed ${matches.length === 1 ? 'entity is' : 'entities are'} like this person.`,
        {
          field: 'full_name',
        },
      ),
    )
  }
  return {
    kind: 'aml',
    status: statusOf(warnings, result.lists),
    score: result.lists.length === 0 ? null : topScore(matches),
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

function withoutName(threshold: number, startedAt: string, screenedAt: string): Check {
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
    engine: { ...engine },
  }
}

function statusOf(warnings: readonly Warning[], lists: readonly ListInfo[]): Check['status'] {
  if (lists.length === 0) return 'error'
  return warnings.some((warning) => warning.severity !== 'low') ? 'warning' : 'passed'
}

/** Top name score: 0 without a match. */
function topScore(matches: readonly AmlMatch[]): number {
  return matches.reduce((top, match) => Math.max(top, match.name_score), 0)
}
