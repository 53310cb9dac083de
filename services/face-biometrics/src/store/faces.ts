import type { Sql } from '@kyc/runtime'
import type { Scope } from '../domain/session-scope.ts'

export type FaceRecord = {
  session_id: string
  vendor_data: string | null
  status: string
  sealed: Buffer
}

/** Stores a session's face, replacing the one of an earlier round. A purged session's row stays empty. */
export async function saveFace(
  tx: Sql,
  scope: Scope,
  face: { vendor_data: string | null; status: string; sealed: Buffer },
): Promise<void> {
  await tx.query(
    `INSERT INTO face (session_id, app_id, vendor_data, status, sealed) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (session_id) DO UPDATE SET sealed = excluded.sealed, changed_at = clock_timestamp()
     WHERE face.sealed IS NOT NULL`,
    [scope.session_id, scope.app_id, face.vendor_data, face.status, face.sealed],
  )
}

export async function setFaceStatus(sql: Sql, scope: Scope, status: string): Promise<void> {
  await sql.query('UPDATE face SET status = $3 WHERE app_id = $1 AND session_id = $2', [
    scope.app_id,
    scope.session_id,
    status,
  ])
}

/** Position in the changes: the time in PostgreSQL's text format with microseconds, and the row. */
export type ChangeCursor = { changed_at: string; session_id: string }

export type FaceChange = ChangeCursor & { sealed: Buffer | null }

/** Faces of an app that changed after `cursor`, ordered by time. */
export async function changedFaces(
  sql: Sql,
  appId: string,
  cursor: ChangeCursor,
  limit: number,
): Promise<FaceChange[]> {
  const { rows } = await sql.query<FaceChange>(
    `SELECT session_id, sealed, changed_at::text AS changed_at FROM face
     WHERE app_id = $1 AND (changed_at, session_id) > ($2::timestamptz, $3)
     ORDER BY changed_at, session_id LIMIT $4`,
    [appId, cursor.changed_at, cursor.session_id, limit],
  )
  return rows
}

export async function findFaces(
  sql: Sql,
  appId: string,
  sessionIds: readonly string[],
): Promise<FaceRecord[]> {
  const { rows } = await sql.query<FaceRecord>(
    `SELECT session_id, vendor_data, status, sealed FROM face
     WHERE app_id = $1 AND session_id = ANY ($2) AND sealed IS NOT NULL`,
    [appId, sessionIds],
  )
  return rows
}

/** Deletes rows of purged sessions that every replica has already read. */
export async function deleteForgottenFaces(sql: Sql, before: Date): Promise<number> {
  const { rowCount } = await sql.query('DELETE FROM face WHERE sealed IS NULL AND changed_at < $1', [before])
  return rowCount
}
