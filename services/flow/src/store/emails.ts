import type { Sql } from '@kyc/runtime'

export type EmailRow = {
  sealed_email: Buffer
  code_hash: string | null
  sends: number
  tries: number
  sent_at: Date
  expires_at: Date
  verified_at: Date | null
}
type Round = { session_id: string; round: number }

export async function findEmail(sql: Sql, { session_id, round }: Round): Promise<EmailRow | null> {
  const { rows } = await sql.query<EmailRow>(
    'SELECT * FROM email_verification WHERE session_id = $1 AND round = $2',
    [session_id, round],
  )
  return rows[0] ?? null
}

/** Stores a new code with zero attempts. The number of sends only increases; false if a concurrent send won. */
export async function storeSend(
  sql: Sql,
  round: Round,
  send: { sealed_email: Buffer; code_hash: string; sends: number; sent_at: Date; expires_at: Date },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO email_verification (session_id, round, sealed_email, code_hash, sends, tries, sent_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, 0, $6, $7)
     ON CONFLICT (session_id, round) DO UPDATE SET sealed_email = excluded.sealed_email, code_hash = excluded.code_hash,
       sends = excluded.sends, tries = 0, sent_at = excluded.sent_at, expires_at = excluded.expires_at
     WHERE email_verification.sends = excluded.sends - 1 AND email_verification.verified_at IS NULL`,
    [
      round.session_id,
      round.round,
      send.sealed_email,
      send.code_hash,
      send.sends,
      send.sent_at,
      send.expires_at,
    ],
  )
  return rowCount === 1
}

/**
 * Uses one attempt, atomically, so that the correct code verifies only one request.
 * Null if no attempt is left or the code has expired.
 */
export async function spendTry(
  sql: Sql,
  { session_id, round }: Round,
  attempt: { code_hash: string; now: Date; max_tries: number },
): Promise<{ verified: boolean; tries: number } | null> {
  const { rows } = await sql.query<{ verified: boolean; tries: number }>(
    `UPDATE email_verification SET tries = tries + 1,
       verified_at = CASE WHEN code_hash = $3 THEN $4::timestamptz END,
       code_hash = CASE WHEN code_hash = $3 THEN NULL ELSE code_hash END
     WHERE session_id = $1 AND round = $2 AND verified_at IS NULL AND code_hash IS NOT NULL
       AND tries < $5 AND expires_at > $4::timestamptz
     RETURNING verified_at IS NOT NULL AS verified, tries`,
    [session_id, round, attempt.code_hash, attempt.now, attempt.max_tries],
  )
  return rows[0] ?? null
}
