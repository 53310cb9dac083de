import type { Sql } from '@kyc/runtime'

export type ReviewRow = {
  session_id: string
  sequence: number
  status: 'approved' | 'declined'
  reviewed_by: string | null
  api_key_id: string | null
  reviewed_at: Date
  sealed_note: Buffer | null
}

export async function insertReview(sql: Sql, row: ReviewRow): Promise<void> {
  await sql.query(
    `INSERT INTO review (session_id, sequence, status, reviewed_by, api_key_id, reviewed_at, sealed_note)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      row.session_id,
      row.sequence,
      row.status,
      row.reviewed_by,
      row.api_key_id,
      row.reviewed_at,
      row.sealed_note,
    ],
  )
}

/** The latest. */
export async function findReview(sql: Sql, sessionId: string): Promise<ReviewRow | null> {
  const { rows } = await sql.query<ReviewRow>(
    'SELECT * FROM review WHERE session_id = $1 ORDER BY sequence DESC LIMIT 1',
    [sessionId],
  )
  return rows[0] ?? null
}
