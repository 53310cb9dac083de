import type { Sql } from '@kyc/runtime'

export type HandoffRow = {
  session_id: string
  session_token_sha256: string
  code_hash: string
  tries: number
  expires_at: Date
  confirmed_at: Date | null
  /** Hash of the cookie of the device that confirmed. */
  device_sha256: string | null
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

/** The token hashes that belong to a hand-off in any state. */
export async function findHandoffTokens(sql: Sql, tokenSha256: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ token_sha256: string }>(
    'SELECT token_sha256 FROM handoff WHERE token_sha256 = ANY($1)',
    [tokenSha256],
  )
  return rows.map((row) => row.token_sha256)
}

/** Confirms once: true only for the first request with the correct code in time; only its device may continue. */
export async function confirmHandoff(
  sql: Sql,
  tokenSha256: string,
  attempt: { code_hash: string; device_sha256: string; now: Date; max_tries: number },
): Promise<boolean> {
  const { rows } = await sql.query<{ confirmed: boolean }>(
    `UPDATE handoff SET tries = tries + 1, confirmed_at = CASE WHEN code_hash = $2 THEN $3::timestamptz END,
       device_sha256 = CASE WHEN code_hash = $2 THEN $5 END
     WHERE token_sha256 = $1 AND confirmed_at IS NULL AND tries < $4 AND expires_at > $3::timestamptz
     RETURNING confirmed_at IS NOT NULL AS confirmed`,
    [tokenSha256, attempt.code_hash, attempt.now, attempt.max_tries, attempt.device_sha256],
  )
  return rows[0]?.confirmed ?? false
}

/** Progress of the newest hand-off of a session. */
export async function handoffProgress(
  sql: Sql,
  sessionId: string,
  now: Date,
): Promise<'none' | 'waiting' | 'connected'> {
  const { rows } = await sql.query<{ confirmed: boolean; open: boolean }>(
    `SELECT bool_or(confirmed_at IS NOT NULL) AS confirmed, bool_or(expires_at > $2) AS open FROM handoff
     WHERE session_id = $1`,
    [sessionId, now],
  )
  if (rows[0]?.confirmed) return 'connected'
  return rows[0]?.open ? 'waiting' : 'none'
}
