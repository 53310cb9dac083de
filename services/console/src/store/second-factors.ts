import type { Sql } from '@kyc/runtime'

/** Stores the secret that a confirmation will activate. */
export async function setPendingSecret(sql: Sql, userId: string, sealed: Buffer): Promise<void> {
  await sql.query('UPDATE console_user SET totp_pending = $2 WHERE id = $1', [userId, sealed])
}

/** `sealed` is the secret whose code was confirmed, because another session may have started an enrolment since. */
export async function confirmSecret(sql: Sql, userId: string, sealed: Buffer, step: number): Promise<void> {
  await sql.query(
    'UPDATE console_user SET totp_secret = $2, totp_pending = NULL, totp_last_step = $3 WHERE id = $1',
    [userId, sealed, step],
  )
}

/** False if this step or a later one was used before, so that of two requests with one code only one succeeds. */
export async function useStep(sql: Sql, userId: string, step: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE console_user SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2',
    [userId, step],
  )
  return rowCount === 1
}

/** Removes every second factor of a user, including the recovery codes. */
export async function removeSecondFactors(sql: Sql, userId: string): Promise<void> {
  await sql.query('UPDATE console_user SET totp_secret = NULL, totp_pending = NULL WHERE id = $1', [userId])
  await sql.query('DELETE FROM recovery_code WHERE user_id = $1', [userId])
  await sql.query('DELETE FROM passkey WHERE user_id = $1', [userId])
}

/** Replaces the existing codes. */
export async function setRecoveryCodes(sql: Sql, userId: string, sha256: readonly Buffer[]): Promise<void> {
  await sql.query('DELETE FROM recovery_code WHERE user_id = $1', [userId])
  await sql.query('INSERT INTO recovery_code (user_id, code_sha256) SELECT $1, unnest($2::bytea[])', [
    userId,
    sha256,
  ])
}

export async function useRecoveryCode(sql: Sql, userId: string, sha256: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE recovery_code SET used_at = $3 WHERE user_id = $1 AND code_sha256 = $2 AND used_at IS NULL',
    [userId, sha256, now],
  )
  return rowCount === 1
}

export async function recoveryCodesLeft(sql: Sql, userId: string): Promise<number> {
  const { rows } = await sql.query<{ left: number }>(
    'SELECT count(*)::integer AS left FROM recovery_code WHERE user_id = $1 AND used_at IS NULL',
    [userId],
  )
  return rows[0]?.left ?? 0
}
