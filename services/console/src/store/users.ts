import type { ConsoleRole } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type User = {
  id: string
  email: string
  name: string | null
  role: ConsoleRole
  /** The apps that the user sees; null: all. */
  app_ids: string[] | null
  password_hash: string
  totp_secret: Buffer | null
  totp_pending: Buffer | null
  totp_last_step: number
  /** The number of registered passkeys. */
  passkeys: number
  created_at: Date
  last_signed_in_at: Date | null
  disabled_at: Date | null
}

type Row = Omit<User, 'totp_last_step'> & { totp_last_step: string }

const columns = `id, email, name, role, app_ids, password_hash, totp_secret, totp_pending, totp_last_step, created_at,
  last_signed_in_at, disabled_at,
  (SELECT count(*)::integer FROM passkey WHERE passkey.user_id = console_user.id) AS passkeys`
const fromRow = (row: Row): User => ({ ...row, totp_last_step: Number(row.totp_last_step) })

export async function findUserByEmail(sql: Sql, email: string): Promise<User | null> {
  const { rows } = await sql.query<Row>(
    `SELECT ${columns} FROM console_user WHERE lower(email) = lower($1)`,
    [email],
  )
  return rows[0] ? fromRow(rows[0]) : null
}

export async function findUser(sql: Sql, id: string): Promise<User | null> {
  const { rows } = await sql.query<Row>(`SELECT ${columns} FROM console_user WHERE id = $1`, [id])
  return rows[0] ? fromRow(rows[0]) : null
}

/**
 * Locks the user until the transaction ends. A separate statement reads the row, because the statement that waited for
 * the lock would count the passkeys as of before the wait.
 */
export async function lockUser(tx: Sql, id: string): Promise<User | null> {
  await tx.query('SELECT FROM console_user WHERE id = $1 FOR UPDATE', [id])
  return findUser(tx, id)
}

export async function listUsers(sql: Sql): Promise<User[]> {
  const { rows } = await sql.query<Row>(`SELECT ${columns} FROM console_user ORDER BY lower(email)`)
  return rows.map(fromRow)
}

export async function insertUser(
  sql: Sql,
  user: {
    id: string
    email: string
    name: string | null
    role: ConsoleRole
    app_ids: string[] | null
    password_hash: string
    now: Date
  },
): Promise<void> {
  await sql.query(
    `INSERT INTO console_user (id, email, name, role, app_ids, password_hash, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [user.id, user.email, user.name, user.role, user.app_ids, user.password_hash, user.now],
  )
}

export async function changeUser(
  sql: Sql,
  id: string,
  user: Pick<User, 'name' | 'role' | 'app_ids' | 'disabled_at'>,
): Promise<void> {
  await sql.query(
    'UPDATE console_user SET name = $2, role = $3, app_ids = $4, disabled_at = $5 WHERE id = $1',
    [id, user.name, user.role, user.app_ids, user.disabled_at],
  )
}

export async function setPassword(sql: Sql, id: string, hash: string): Promise<void> {
  await sql.query('UPDATE console_user SET password_hash = $2 WHERE id = $1', [id, hash])
}

export async function markSignedIn(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.query('UPDATE console_user SET last_signed_in_at = $2 WHERE id = $1', [id, now])
}

/** Locks the owners, so that two who leave concurrently cannot each count the other as remaining. */
export async function activeOwners(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM console_user WHERE role = 'owner' AND disabled_at IS NULL ORDER BY id FOR UPDATE`,
  )
  return rows.map((row) => row.id)
}
