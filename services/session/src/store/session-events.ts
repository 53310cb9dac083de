import type { EventActor, TimelineEntry } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { SessionRow } from './session-record.ts'

export type EventDetails = TimelineEntry['details']
export type EventKind = Exclude<TimelineEntry['kind'], 'check_completed'>

/** Inserts an event of a session, for its timeline and for analytics. */
export async function insertEvent(
  sql: Sql,
  session: Pick<SessionRow, 'session_id' | 'app_id' | 'workflow_id' | 'created_at'>,
  event: { kind: EventKind; actor: EventActor; details?: EventDetails; at: Date },
): Promise<void> {
  await sql.query(
    `INSERT INTO session_event (session_id, app_id, workflow_id, kind, actor_type, actor_id, details, at, cohort)
     VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, ($9::timestamptz AT TIME ZONE 'UTC')::date)`,
    [
      session.session_id,
      session.app_id,
      session.workflow_id,
      event.kind,
      event.actor.type,
      event.actor.id,
      JSON.stringify(event.details ?? {}),
      event.at,
      session.created_at,
    ],
  )
}

export type EventRow = {
  kind: EventKind
  actor_type: EventActor['type']
  actor_id: string | null
  details: EventDetails
  at: Date
}

/** Oldest first. */
export async function findEvents(sql: Sql, sessionId: string): Promise<EventRow[]> {
  const { rows } = await sql.query<EventRow>(
    'SELECT kind, actor_type, actor_id, details, at FROM session_event WHERE session_id = $1 ORDER BY id',
    [sessionId],
  )
  return rows
}

/** The time of the person's last activity, and whether this event is already recorded. */
export async function flowProgress(
  sql: Sql,
  sessionId: string,
  now: { kind: EventKind; name: string; round: number },
): Promise<{ last_at: Date | null; seen: boolean }> {
  const { rows } = await sql.query<{ last_at: Date | null; seen: boolean }>(
    `SELECT max(at) FILTER (WHERE kind = 'step_completed' OR details->>'to' = 'in_progress') AS last_at,
       coalesce(bool_or(kind = $2 AND details->>'name' = $3
         AND (kind = 'page_event' OR details->>'round' = $4::text)), false) AS seen
     FROM session_event WHERE session_id = $1`,
    [sessionId, now.kind, now.name, String(now.round)],
  )
  return rows[0] ?? { last_at: null, seen: false }
}
