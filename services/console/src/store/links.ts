import type { ConsoleRole } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type Link = {
  id: string
  kind: 'invitation' | 'password_reset'
  email: string
  /** Set for password resets. */
  user_id: string | null
  /** Set for invitations. */
  role: ConsoleRole | null
  app_ids: string[] | null
  /** A user's id, or `self`. */
  made_by: string
  created_at: Date
  expires_at: Date
}

const columns = 'id, kind, email, user_id, role, app_ids, made_by, created_at, expires_at'
const open = 'used_at IS NULL AND expires_at > '

/** Replaces any open link of the same kind to the same address. */
export async function insertLink(sql: Sql, link: Link & { tokenSha256: Buffer }): Promise<void> {
  await sql.query('DELETE FROM link WHERE kind = $1 AND lower(email) = lower($2) AND used_at IS NULL', [
    link.kind,
    link.email,
  ])
  await sql.query(
    `INSERT INTO link (${columns}, token_sha256) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      link.id,
      link.kind,
      link.email,
      link.user_id,
      link.role,
      link.app_ids,
      link.made_by,
      link.created_at,
      link.expires_at,
      link.tokenSha256,
    ],
  )
}

/** Null for unknown, used and expired links alike. */
export async function findLink(sql: Sql, tokenSha256: Buffer, now: Date): Promise<Link | null> {
  const { rows } = await sql.query<Link>(
    `SELECT ${columns} FROM link WHERE token_sha256 = $1 AND ${open} $2`,
    [tokenSha256, now],
  )
  return rows[0] ?? null
}

/** Uses the link up. Of two concurrent calls only one gets it. */
export async function takeLink(sql: Sql, tokenSha256: Buffer, now: Date): Promise<Link | null> {
  const { rows } = await sql.query<Link>(
    `UPDATE link SET used_at = $2 WHERE token_sha256 = $1 AND ${open} $2 RETURNING ${columns}`,
    [tokenSha256, now],
  )
  return rows[0] ?? null
}

export async function openInvitations(sql: Sql, now: Date): Promise<Link[]> {
  const { rows } = await sql.query<Link>(
    `SELECT ${columns} FROM link WHERE kind = 'invitation' AND ${open} $1 ORDER BY created_at DESC`,
    [now],
  )
  return rows
}

export async function deleteLink(sql: Sql, id: string): Promise<void> {
  await sql.query('DELETE FROM link WHERE id = $1', [id])
}

/** Deletes the open resets of a user whose password changed. */
export async function deleteResets(sql: Sql, userId: string): Promise<void> {
  await sql.query('DELETE FROM link WHERE user_id = $1 AND used_at IS NULL', [userId])
}

export async function pruneLinks(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM link WHERE expires_at < $1', [before])
}
