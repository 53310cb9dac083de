import type { MatchVerdict } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type MatchReviewRow = {
  session_id: string
  match_id: string
  status: MatchVerdict
  reviewed_by: string
  reviewed_at: Date
  sealed_note: Buffer | null
}

/** A later verdict replaces an earlier one; the audit log contains both. */
export async function upsertMatchReview(sql: Sql, row: MatchReviewRow): Promise<void> {
  await sql.query(
    `INSERT INTO match_review (session_id, match_id, status, reviewed_by, reviewed_at, sealed_note)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (session_id, match_id) DO UPDATE SET status = excluded.status, reviewed_by = excluded.reviewed_by,
       reviewed_at = excluded.reviewed_at, sealed_note = excluded.sealed_note`,
    [row.session_id, row.match_id, row.status, row.reviewed_by, row.reviewed_at, row.sealed_note],
  )
}

export async function findMatchReviews(sql: Sql, sessionId: string): Promise<MatchReviewRow[]> {
  const { rows } = await sql.query<MatchReviewRow>('SELECT * FROM match_review WHERE session_id = $1', [
    sessionId,
  ])
  return rows
}
