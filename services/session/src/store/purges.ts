import type { Sql } from '@kyc/runtime'
import type { SessionRecord } from './session-record.ts'

/** Empties every personal column of a session; ids, status, reason, times and each check's codes stay. */
export async function stripSession(sql: Sql, sessionId: string): Promise<Record<string, number>> {
  const session = await sql.query(
    `UPDATE session SET sealed_personal = NULL, sealed_identity = NULL, callback_url = NULL
     WHERE session_id = $1`,
    [sessionId],
  )
  const checks = await sql.query('UPDATE session_check SET sealed = NULL WHERE session_id = $1', [sessionId])
  const reviews = await sql.query('UPDATE review SET sealed_note = NULL WHERE session_id = $1', [sessionId])
  const submissions = await sql.query('DELETE FROM submission WHERE session_id = $1', [sessionId])
  const replies = await sql.query('UPDATE idempotent_reply SET sealed_body = NULL WHERE session_id = $1', [
    sessionId,
  ])
  return {
    sessions: session.rowCount,
    checks: checks.rowCount,
    reviews: reviews.rowCount,
    submissions: submissions.rowCount,
    replies: replies.rowCount,
  }
}

/** Marked as purged, but the vault has not yet confirmed that key and files are gone. */
export async function undestroyedSessions(
  sql: Sql,
  limit: number,
): Promise<Pick<SessionRecord, 'app_id' | 'session_id'>[]> {
  const { rows } = await sql.query<Pick<SessionRecord, 'app_id' | 'session_id'>>(
    `SELECT app_id, session_id FROM session WHERE purged_at IS NOT NULL AND data_destroyed_at IS NULL
     ORDER BY purged_at LIMIT $1`,
    [limit],
  )
  return rows
}

export async function markDestroyed(sql: Sql, sessionId: string, at: Date): Promise<void> {
  await sql.query('UPDATE session SET data_destroyed_at = $2 WHERE session_id = $1', [sessionId, at])
}

/** Sessions past their app's retention, the oldest first. In review nothing is purged by time. */
export async function retiredSessions(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<Pick<SessionRecord, 'app_id' | 'session_id'>[]> {
  const { rows } = await sql.query<Pick<SessionRecord, 'app_id' | 'session_id'>>(
    `SELECT session.app_id, session.session_id FROM app
     JOIN LATERAL (
       SELECT app_id, session_id, completed_at FROM session
       WHERE session.app_id = app.app_id AND purged_at IS NULL
         AND completed_at < $1::timestamptz - make_interval(days => app.retention_days)
         AND status IN ('approved', 'declined', 'expired', 'abandoned')
       ORDER BY completed_at LIMIT $2
     ) AS session ON true LIMIT $2`,
    [now, limit],
  )
  return rows
}

/** A service says that it has nothing left of the session. */
export async function confirmPurge(
  sql: Sql,
  confirmation: { session_id: string; service: string; deleted: Record<string, number> },
  at: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO purge_confirmation (session_id, service, deleted, confirmed_at) VALUES ($1, $2, $3::jsonb, $4)
     ON CONFLICT (session_id, service) DO NOTHING`,
    [confirmation.session_id, confirmation.service, JSON.stringify(confirmation.deleted), at],
  )
}
