import type { Sql } from '@kyc/runtime'

export type HandoffRow = {
  session_id: string
  session_token_sha256: string
  code_hash: string
  tries: number
  expires_at: Date
  confirmed_at: Date | null
}

export const insertHandoff = (
  sql: Sql,
  row: {
    token_sha256: string
    session_id: string
    session_token_sha256: string
    code_hash: string
    expires_at: Date
  },
) =>
  sql.query(
    `INSERT INTO handoff (token_sha256, session_id, session_token_sha256, code_hash, expires_at) VALUES ($1, $2, $3, $4, $5)`,
    [row.token_sha256, row.session_id, row.session_token_sha256, row.code_hash, row.expires_at],
  )

export async function findHandoff(sql: Sql, tokenSha256: string): Promise<HandoffRow | null> {
  const { rows } = await sql.query<HandoffRow>('SELECT * FROM handoff WHERE token_sha256 = $1', [tokenSha256])
  return rows[0] ?? null
}

/** Confirms once: true for the one request that brings the right code in time. */
export async function confirmHandoff(
  sql: Sql,
  tokenSha256: string,
  attempt: { code_hash: string; now: Date; max_tries: number },
): Promise<boolean> {
  const { rows } = await sql.query<{ confirmed: boolean }>(
    `UPDATE handoff SET tries = tries + 1, confirmed_at = CASE WHEN code_hash = $2 THEN $3::timestamptz END
     WHERE token_sha256 = $1 AND confirmed_at IS NULL AND tries < $4 AND expires_at > $3::timestamptz
     RETURNING confirmed_at IS NOT NULL AS confirmed`,
    [tokenSha256, attempt.code_hash, attempt.now, attempt.max_tries],
  )
  return rows[0]?.confirmed ?? false
}
