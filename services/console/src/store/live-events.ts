import type { LiveEvent } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

/** The PostgreSQL channel that notifies every replica of new events. */
export const liveChannel = 'console_live'

/** Serialises inserts so that ids follow the commit order; a reader of one id has seen all lower ones. */
const orderLock = 7_413_046_220

export type StoredLiveEvent = { id: number; app_id: string; payload: LiveEvent }

/** Notifies every open page of the app, on every replica, when the caller's transaction commits. */
export async function insertLiveEvent(sql: Sql, appId: string, event: LiveEvent, at: Date): Promise<void> {
  await sql.query('SELECT pg_advisory_xact_lock($1)', [orderLock])
  await sql.query('INSERT INTO live_event (app_id, payload, at) VALUES ($1, $2::jsonb, $3)', [
    appId,
    JSON.stringify(event),
    at,
  ])
  await sql.query(`SELECT pg_notify($1, '')`, [liveChannel])
}

type Row = Omit<StoredLiveEvent, 'id'> & { id: string }
const fromRow = (row: Row): StoredLiveEvent => ({ ...row, id: Number(row.id) })

/** Of all apps, oldest first. */
export async function readLiveEvents(sql: Sql, after: number, limit: number): Promise<StoredLiveEvent[]> {
  const { rows } = await sql.query<Row>(
    'SELECT id, app_id, payload FROM live_event WHERE id > $1 ORDER BY id LIMIT $2',
    [after, limit],
  )
  return rows.map(fromRow)
}

/** Of one app, oldest first. */
export async function readMissed(
  sql: Sql,
  appId: string,
  after: number,
  limit: number,
): Promise<StoredLiveEvent[]> {
  const { rows } = await sql.query<Row>(
    'SELECT id, app_id, payload FROM live_event WHERE app_id = $1 AND id > $2 ORDER BY id LIMIT $3',
    [appId, after, limit],
  )
  return rows.map(fromRow)
}

/** The ids of the oldest and the newest stored event; zero if there is none. */
export async function liveEventRange(sql: Sql): Promise<{ first: number; last: number }> {
  const { rows } = await sql.query<{ first: string | null; last: string | null }>(
    'SELECT min(id) AS first, max(id) AS last FROM live_event',
  )
  return { first: Number(rows[0]?.first ?? 0), last: Number(rows[0]?.last ?? 0) }
}

/** The newest event always stays, because it shows whether a reconnecting page missed events. */
export async function pruneLiveEvents(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM live_event WHERE at < $1 AND id < (SELECT max(id) FROM live_event)', [before])
}
