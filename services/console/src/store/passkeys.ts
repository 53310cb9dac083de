import type { Sql } from '@kyc/runtime'

export type Passkey = {
  id: string
  user_id: string
  credential_id: Buffer
  public_key: Buffer
  transports: string[]
  backed_up: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

const columns =
  'id, user_id, credential_id, public_key, transports, backed_up, name, created_at, last_used_at'

/** False if the credential is already registered, for this user or another. */
export async function insertPasskey(sql: Sql, passkey: Passkey, signCount: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO passkey (${columns}, sign_count) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (credential_id) DO NOTHING`,
    [
      passkey.id,
      passkey.user_id,
      passkey.credential_id,
      passkey.public_key,
      passkey.transports,
      passkey.backed_up,
      passkey.name,
      passkey.created_at,
      passkey.last_used_at,
      signCount,
    ],
  )
  return rowCount === 1
}

export async function listPasskeys(sql: Sql, userId: string): Promise<Passkey[]> {
  const { rows } = await sql.query<Passkey>(
    `SELECT ${columns} FROM passkey WHERE user_id = $1 ORDER BY created_at, id`,
    [userId],
  )
  return rows
}

export async function findPasskey(sql: Sql, credentialId: Buffer): Promise<Passkey | null> {
  const { rows } = await sql.query<Passkey>(`SELECT ${columns} FROM passkey WHERE credential_id = $1`, [
    credentialId,
  ])
  return rows[0] ?? null
}

/**
 * Records a use unless the signature counter did not advance (WebAuthn Level 3, section 7.2, step 22). Compares and sets
 * it in one statement, so that of two copies of a key with the same count one is rejected.
 */
export async function recordPasskeyUse(
  sql: Sql,
  id: string,
  use: { signCount: number; backedUp: boolean; now: Date },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE passkey SET sign_count = $2, backed_up = $3, last_used_at = $4
     WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))`,
    [id, use.signCount, use.backedUp, use.now],
  )
  return rowCount === 1
}

/** Null if the user has no such passkey. */
export async function renamePasskey(
  sql: Sql,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey | null> {
  const { rows } = await sql.query<Passkey>(
    `UPDATE passkey SET name = $3 WHERE user_id = $1 AND id = $2 RETURNING ${columns}`,
    [userId, id, name],
  )
  return rows[0] ?? null
}

export async function removePasskey(sql: Sql, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await sql.query('DELETE FROM passkey WHERE user_id = $1 AND id = $2', [userId, id])
  return rowCount === 1
}
