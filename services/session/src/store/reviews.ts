import type { DecisionReason } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type ReviewRow = {
  session_id: string
  sequence: number
  /** `in_progress` means that resubmission was requested. */
  status: 'approved' | 'declined' | 'in_progress'
  /** The reviewer's reason code. */
  reason: DecisionReason | null
  reviewed_by: string | null
  api_key_id: string | null
  reviewed_at: Date
  sealed_note: Buffer | null
}

export async function insertReview(sql: Sql, row: ReviewRow): Promise<void> {
  await sql.query(
    `INSERT INTO review (session_id, sequence, status, reviewed_by, api_key_id, reviewed_at, sealed_note, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.session_id,
      row.sequence,
      row.status,
      row.reviewed_by,
      row.api_key_id,
      row.reviewed_at,
      row.sealed_note,
      row.reason,
    ],
  )
}

/** The latest decision of a reviewer or API client. */
export async function findReview(sql: Sql, sessionId: string): Promise<ReviewRow | null> {
  const { rows } = await sql.query<ReviewRow>(
    `SELECT * FROM review WHERE session_id = $1 AND status <> 'in_progress' ORDER BY sequence DESC LIMIT 1`,
    [sessionId],
  )
  return rows[0] ?? null
}

/** Oldest first. */
export async function findReviews(sql: Sql, sessionId: string): Promise<ReviewRow[]> {
  const { rows } = await sql.query<ReviewRow>(
    'SELECT * FROM review WHERE session_id = $1 ORDER BY sequence',
    [sessionId],
  )
  return rows
}
