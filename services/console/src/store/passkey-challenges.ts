import type { Sql } from '@kyc/runtime'

/** The purpose of a challenge and the session it is bound to; null: before a sign-in by passkey alone. */
export type ChallengeUse =
  | { purpose: 'sign_in'; signInId: null }
  | { purpose: 'second_factor' | 'reauthentication' | 'registration'; signInId: string }

/** A session has one open challenge for each purpose: the newest. */
export async function insertChallenge(
  sql: Sql,
  challenge: { sha256: Buffer; use: ChallengeUse; requester: string | null; expiresAt: Date },
): Promise<void> {
  const { sha256, use, requester, expiresAt } = challenge
  await sql.query(
    `INSERT INTO passkey_challenge (challenge_sha256, purpose, sign_in_id, requester, expires_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (sign_in_id, purpose) DO UPDATE SET challenge_sha256 = $1, expires_at = $5`,
    [sha256, use.purpose, use.signInId, requester, expiresAt],
  )
}

/** Uses a challenge up; of two concurrent responses only one gets it. False: unknown, expired, or for another use. */
export async function takeChallenge(
  sql: Sql,
  sha256: Buffer,
  use: ChallengeUse,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `DELETE FROM passkey_challenge WHERE challenge_sha256 = $1 AND purpose = $2
       AND sign_in_id IS NOT DISTINCT FROM $3 AND expires_at > $4`,
    [sha256, use.purpose, use.signInId, now],
  )
  return rowCount === 1
}

/** The number of open challenges that a known browser or an address requested without a session. */
export async function openChallenges(sql: Sql, requester: string, now: Date): Promise<number> {
  const { rows } = await sql.query<{ open: number }>(
    `SELECT count(*)::integer AS open FROM passkey_challenge
     WHERE sign_in_id IS NULL AND requester = $1 AND expires_at > $2`,
    [requester, now],
  )
  return rows[0]?.open ?? 0
}

export async function pruneChallenges(sql: Sql, now: Date): Promise<void> {
  await sql.query('DELETE FROM passkey_challenge WHERE expires_at <= $1', [now])
}
