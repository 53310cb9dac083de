import { type Check, matchReview, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import { z } from 'zod'
import { findMatchReviews, type MatchReviewRow } from '../store/match-reviews.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { scopeOf } from './context.ts'

export const matchNoteContext = 'match.note'

/** The fields of a match that are read here; all others are passed through. */
const shownMatch = z.looseObject({
  match_id: z.string(),
  review: z.looseObject({ status: matchReview.shape.status }).optional(),
})
export type ShownMatch = z.infer<typeof shownMatch>

/** The matches of an `aml` check; empty for other kinds and for purged sessions. */
export const matchesOf = (check: Check): ShownMatch[] =>
  check.kind === 'aml' && Array.isArray(check.data.matches)
    ? z.array(shownMatch).parse(check.data.matches)
    : []

/** Whether the match has no verdict, neither here nor from an earlier session of the person. */
export const isOpen = (match: ShownMatch): boolean => (match.review?.status ?? 'unreviewed') === 'unreviewed'

/** An `aml` check with the reviewers' verdicts merged into its matches. */
export async function withVerdicts(
  { vault, sql }: { vault: Vault; sql: Sql },
  session: SessionRecord,
  check: Check,
): Promise<Check> {
  const matches = matchesOf(check)
  if (matches.length === 0) return check
  const reviews = await findMatchReviews(sql, session.session_id)
  if (reviews.length === 0) return check
  const reviewed = await Promise.all(
    matches.map(async (match) => {
      const review = reviews.find((row) => row.match_id === match.match_id)
      return review ? { ...match, review: await presentVerdict(vault, session, review) } : match
    }),
  )
  return { ...check, data: { ...check.data, matches: reviewed } }
}

async function presentVerdict(vault: Vault, session: SessionRecord, row: MatchReviewRow) {
  const note = row.sealed_note
    ? z.string().parse(await vault.open(scopeOf(session), matchNoteContext, row.sealed_note))
    : null
  return {
    status: row.status,
    reviewed_by: row.reviewed_by,
    reviewed_at: toTimestamp(row.reviewed_at),
    note,
  }
}
