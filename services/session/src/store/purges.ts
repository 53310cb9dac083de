import type { PurgeConfirmation, SignedPurgeCertificate } from '@kyc/common'
import { keptReplies } from '@kyc/http'
import { countReferences, type Sql } from '@kyc/runtime'
import { stripReviewData } from './review-data.ts'
import type { SessionRecord } from './session-record.ts'

type Ids = Pick<SessionRecord, 'app_id' | 'session_id'>

/**
 * Tables that retain rows of a purged session, each with the condition under which a row still contains personal
 * data.
 */
const keptTables = {
  session: `sealed_personal IS NOT NULL OR sealed_identity IS NOT NULL OR callback_url IS NOT NULL
    OR test_scenario IS NOT NULL`,
  session_check: 'sealed IS NOT NULL',
  review: 'sealed_note IS NOT NULL',
  ...keptReplies,
  // Statuses and their times.
  session_event: `kind NOT IN ('created', 'status_changed', 'purged')`,
  // Only codes and the progress of the purge itself.
  decision: null,
  purge: null,
  purge_confirmation: null,
}

/** Clears every personal column of a session; ids, status, reason, times and the codes of each check remain. */
export async function stripSession(sql: Sql, sessionId: string): Promise<Record<string, number>> {
  const session = await sql.query(
    `UPDATE session SET sealed_personal = NULL, sealed_identity = NULL, callback_url = NULL, test_scenario = NULL
     WHERE session_id = $1`,
    [sessionId],
  )
  const emptied = async (table: string, column: string) =>
    (
      await sql.query(
        `UPDATE ${table} SET ${column} = NULL WHERE session_id = $1 AND ${column} IS NOT NULL`,
        [sessionId],
      )
    ).rowCount
  const deleted = async (table: string) =>
    (await sql.query(`DELETE FROM ${table} WHERE session_id = $1`, [sessionId])).rowCount
  return {
    session: session.rowCount,
    session_check: await emptied('session_check', 'sealed'),
    review: await emptied('review', 'sealed_note'),
    idempotent_reply: await emptied('idempotent_reply', 'sealed_body'),
    submission: await deleted('submission'),
    receipt: await deleted('receipt'),
    ...(await stripReviewData(sql, sessionId)),
  }
}

export const remainingOfSession = (sql: Sql, sessionId: string) => countReferences(sql, sessionId, keptTables)

export async function insertPurge(
  sql: Sql,
  session: Ids,
  deleted: Record<string, number>,
  at: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO purge (session_id, app_id, purged_at, deleted, asked_at) VALUES ($1, $2, $3, $4::jsonb, $3)`,
    [session.session_id, session.app_id, at, JSON.stringify(deleted)],
  )
}

/** Purges marked by `before` for which the vault has not yet confirmed that key and files are destroyed. */
export async function undestroyedPurges(sql: Sql, before: Date, limit: number): Promise<Ids[]> {
  const { rows } = await sql.query<Ids>(
    `SELECT app_id, session_id FROM purge WHERE completed_at IS NULL AND vault IS NULL AND purged_at <= $1
     ORDER BY asked_at LIMIT $2`,
    [before, limit],
  )
  return rows
}

export type DestroyedData = { files_deleted: number; key_destroyed: boolean }

export async function recordDestroyed(sql: Sql, sessionId: string, destroyed: DestroyedData): Promise<void> {
  await sql.query('UPDATE purge SET vault = $2::jsonb WHERE session_id = $1 AND vault IS NULL', [
    sessionId,
    JSON.stringify(destroyed),
  ])
}

/** Sessions past their app's retention, oldest first. Sessions in review are never purged by retention. */
export async function retiredSessions(sql: Sql, now: Date, limit: number): Promise<Ids[]> {
  const { rows } = await sql.query<Ids>(
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

/** Records a service's confirmation that it has no data of the session left. Counts of a later sweep are added. */
export async function confirmPurge(
  sql: Sql,
  confirmation: Ids & Pick<PurgeConfirmation, 'service' | 'deleted' | 'remaining'>,
  at: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO purge_confirmation AS known (session_id, service, deleted, remaining, confirmed_at)
     SELECT $1, $2, $3::jsonb, $4::jsonb, $5 FROM purge WHERE session_id = $1 AND app_id = $6
     ON CONFLICT (session_id, service) DO UPDATE SET remaining = excluded.remaining, deleted = (
       SELECT coalesce(jsonb_object_agg(name, count), '{}') FROM (
         SELECT key AS name, sum(value::int) AS count
         FROM (SELECT * FROM jsonb_each_text(known.deleted)
               UNION ALL SELECT * FROM jsonb_each_text(excluded.deleted)) AS parts
         GROUP BY key) AS summed)`,
    [
      confirmation.session_id,
      confirmation.service,
      JSON.stringify(confirmation.deleted),
      JSON.stringify(confirmation.remaining),
      at,
      confirmation.app_id,
    ],
  )
}

export type PurgeRow = Ids & {
  purged_at: Date
  deleted: Record<string, number>
  vault: DestroyedData | null
  completed_at: Date | null
  certificate: SignedPurgeCertificate | null
}

const findBy = (suffix: string) => async (sql: Sql, session: Ids) => {
  const { rows } = await sql.query<PurgeRow>(
    `SELECT app_id, session_id, purged_at, deleted, vault, completed_at, certificate FROM purge
     WHERE app_id = $1 AND session_id = $2 ${suffix}`,
    [session.app_id, session.session_id],
  )
  return rows[0] ?? null
}
export const findPurge = findBy('')
export const lockPurge = findBy('FOR UPDATE')

export type ConfirmationRow = Omit<PurgeConfirmation, 'confirmed_at'> & { confirmed_at: Date }

export async function findConfirmations(sql: Sql, sessionId: string): Promise<ConfirmationRow[]> {
  const { rows } = await sql.query<ConfirmationRow>(
    `SELECT service, confirmed_at, deleted, remaining FROM purge_confirmation WHERE session_id = $1
     ORDER BY service`,
    [sessionId],
  )
  return rows
}

export async function writeCertificate(
  sql: Sql,
  sessionId: string,
  certificate: SignedPurgeCertificate,
  at: Date,
): Promise<void> {
  await sql.query('UPDATE purge SET completed_at = $2, certificate = $3::json WHERE session_id = $1', [
    sessionId,
    at,
    JSON.stringify(certificate),
  ])
}

/**
 * Purges not confirmed by all services and not requested since `before`. Each is returned once and marked as
 * requested now.
 */
export async function takeUnconfirmedPurges(sql: Sql, before: Date, now: Date, limit: number) {
  const { rows } = await sql.query<Ids & { purged_at: Date }>(
    `UPDATE purge SET asked_at = $2, asks = asks + 1 WHERE session_id IN (
       SELECT session_id FROM purge WHERE completed_at IS NULL AND asked_at < $1
       ORDER BY asked_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING app_id, session_id, purged_at`,
    [before, now, limit],
  )
  return rows
}

/** Purges completed before `before` that have not been swept. Each is returned once. */
export async function takeUnsweptPurges(sql: Sql, before: Date, now: Date, limit: number) {
  const { rows } = await sql.query<Ids & { purged_at: Date }>(
    `UPDATE purge SET swept_at = $2 WHERE session_id IN (
       SELECT session_id FROM purge WHERE completed_at < $1 AND swept_at IS NULL
       ORDER BY completed_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING app_id, session_id, purged_at`,
    [before, now, limit],
  )
  return rows
}

/** The sessions of `known` that the tables contain as not purged. */
export async function sessionsNotPurged(sql: Sql, known: readonly Ids[]): Promise<Ids[]> {
  const { rows } = await sql.query<Ids>(
    `SELECT app_id, session_id FROM session
     WHERE session_id = ANY($1) AND purged_at IS NULL ORDER BY seq`,
    [known.map((session) => session.session_id)],
  )
  return rows
}

/** The number of purges started after `since` that have no certificate yet. */
export async function countOpenPurges(sql: Sql, since: Date): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM purge WHERE completed_at IS NULL AND purged_at > $1',
    [since],
  )
  return rows[0]?.count ?? 0
}

/** The number of purges without a certificate, and the start of the oldest. */
export async function openPurges(sql: Sql): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await sql.query<{ count: number; oldest: Date | null }>(
    'SELECT count(*)::int AS count, min(purged_at) AS oldest FROM purge WHERE completed_at IS NULL',
  )
  return rows[0] ?? { count: 0, oldest: null }
}
