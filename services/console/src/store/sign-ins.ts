import type { ConsoleRole, SignInState } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { effectiveState } from '../domain/sign-in-rule.ts'

/** A sign-in with the current data of its user that every request needs; `state` is the effective state. */
export type SignIn = {
  id: string
  user_id: string
  state: SignInState
  created_at: Date
  last_seen_at: Date
  reauthenticated_at: Date | null
  ended_at: Date | null
  role: ConsoleRole
  app_ids: string[] | null
  disabled_at: Date | null
  /** Whether the browser of this sign-in already has its known-browser cookie. */
  browser_known: boolean
}

export type StoredSignIn = {
  id: string
  state: SignInState
  created_at: Date
  last_seen_at: Date
  ended_at: Date | null
  address: string | null
  device: string
}

const found = `SELECT s.id, s.user_id, s.state, s.created_at, s.last_seen_at, s.reauthenticated_at, s.ended_at,
    s.browser_known, u.role, u.app_ids, u.disabled_at,
    u.totp_secret IS NOT NULL OR EXISTS (SELECT FROM passkey p WHERE p.user_id = u.id) AS enrolled
  FROM sign_in s JOIN console_user u ON u.id = s.user_id`

type Row = SignIn & { enrolled: boolean }

const fromRow = ({ enrolled, ...row }: Row): SignIn => ({
  ...row,
  state: effectiveState(row.state, enrolled),
})

export async function findSignIn(sql: Sql, tokenSha256: Buffer): Promise<SignIn | null> {
  const { rows } = await sql.query<Row>(`${found} WHERE s.token_sha256 = $1`, [tokenSha256])
  return rows[0] ? fromRow(rows[0]) : null
}

export async function findSignInById(sql: Sql, id: string): Promise<SignIn | null> {
  const { rows } = await sql.query<Row>(`${found} WHERE s.id = $1`, [id])
  return rows[0] ? fromRow(rows[0]) : null
}

export async function insertSignIn(
  sql: Sql,
  signIn: {
    id: string
    user_id: string
    tokenSha256: Buffer
    state: SignInState
    now: Date
    address: string | null
    device: string
  },
): Promise<void> {
  await sql.query(
    `INSERT INTO sign_in (id, user_id, token_sha256, state, created_at, last_seen_at, reauthenticated_at, address, device)
     VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)`,
    [
      signIn.id,
      signIn.user_id,
      signIn.tokenSha256,
      signIn.state,
      signIn.now,
      signIn.state === 'full' ? signIn.now : null,
      signIn.address,
      signIn.device,
    ],
  )
}

/** Replaces the token and ends the old one. False if the sign-in has ended since. */
export async function raiseSignIn(
  sql: Sql,
  id: string,
  tokenSha256: Buffer,
  change: { state: SignInState; reauthenticated: boolean; now: Date },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE sign_in SET token_sha256 = $2, state = $3, last_seen_at = $4,
       reauthenticated_at = CASE WHEN $5 THEN $4 ELSE reauthenticated_at END
     WHERE id = $1 AND ended_at IS NULL`,
    [id, tokenSha256, change.state, change.now, change.reauthenticated],
  )
  return rowCount === 1
}

/** True for the one request that may set the known-browser cookie of this sign-in. */
export async function markBrowserKnown(sql: Sql, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE sign_in SET browser_known = true WHERE id = $1 AND NOT browser_known',
    [id],
  )
  return rowCount === 1
}

export async function touchSignIn(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.query('UPDATE sign_in SET last_seen_at = greatest(last_seen_at, $2) WHERE id = $1', [id, now])
}

export async function endSignIn(sql: Sql, userId: string, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE sign_in SET ended_at = $3 WHERE user_id = $1 AND id = $2 AND ended_at IS NULL',
    [userId, id, now],
  )
  return rowCount === 1
}

/** Ends every sign-in of the user except, if given, one. Returns how many. */
export async function endSignIns(
  sql: Sql,
  userId: string,
  now: Date,
  except: string | null = null,
): Promise<number> {
  const { rowCount } = await sql.query(
    'UPDATE sign_in SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $3',
    [userId, now, except],
  )
  return rowCount
}

export async function listSignIns(sql: Sql, userId: string): Promise<StoredSignIn[]> {
  const { rows } = await sql.query<StoredSignIn>(
    `SELECT id, state, created_at, last_seen_at, ended_at, address, device
     FROM sign_in WHERE user_id = $1 AND ended_at IS NULL ORDER BY last_seen_at DESC`,
    [userId],
  )
  return rows
}

/** Deletes sign-ins that can no longer be used. */
export async function pruneSignIns(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM sign_in WHERE last_seen_at < $1', [before])
}
