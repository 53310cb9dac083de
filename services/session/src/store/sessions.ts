import {
  configOfScenario,
  type DecisionReason,
  type EventActor,
  type SessionStatus,
  type TestScenarioName,
} from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { EventDetails } from './session-events.ts'
import type { SessionRecord, SessionRow } from './session-record.ts'

const columns = `session.*, workflow_version.config`
const withConfig = `session JOIN workflow_version
  ON workflow_version.workflow_id = session.workflow_id AND workflow_version.version = session.workflow_version`

/** A row for the operations: the snapshot's config, with the checks of its test scenario enabled. */
const asRecord = (row: SessionRecord): SessionRecord => ({
  ...row,
  config: configOfScenario(row.config, row.test_scenario),
})
const firstRecord = (rows: SessionRecord[]) => (rows[0] ? asRecord(rows[0]) : null)

export type NewSession = {
  session_id: string
  app_id: string
  environment: string
  /** Null selects the app's default workflow or, without one, its oldest live workflow. */
  workflow_id: string | null
  vendor_data: string | null
  callback_url: string | null
  token_sha256: Buffer
  created_via: 'api' | 'console'
  test_scenario: string | null
  sealed_personal: Buffer | null
  created_by: EventActor
  created_at: Date
  expires_at: Date
}

/** Selects the workflow and writes the session in one statement; null if there is no such live workflow. */
export async function insertSession(sql: Sql, session: NewSession): Promise<{ workflow_id: string } | null> {
  const created = await insertSessions(sql, [session])
  return created.get(session.session_id) ?? null
}

const newSessionTypes = {
  session_id: 'text',
  app_id: 'text',
  environment: 'text',
  workflow_id: 'text',
  vendor_data: 'text',
  callback_url: 'text',
  token_sha256: 'bytea',
  created_via: 'text',
  test_scenario: 'text',
  sealed_personal: 'bytea',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
} satisfies Record<Exclude<keyof NewSession, 'created_by'>, string>
const newSessionColumns = Object.keys(newSessionTypes) as (keyof typeof newSessionTypes)[]
const parameters = [...Object.values(newSessionTypes), 'text', 'text'].map(
  (type, index) => `$${index + 1}::${type}[]`,
)

const insertStatement = `WITH added AS (
    SELECT * FROM unnest(${parameters.join(', ')})
      AS added (${newSessionColumns.join(', ')}, creator_type, creator_id)
  ), made AS (
    INSERT INTO session (session_id, app_id, environment, workflow_id, workflow_version, status,
      vendor_data, callback_url, token_sha256, created_via, test_scenario, sealed_personal,
      created_at, updated_at, expires_at, due_at)
    SELECT added.session_id, added.app_id, added.environment, chosen.id, chosen.version, 'not_started',
      added.vendor_data, added.callback_url, added.token_sha256, added.created_via, added.test_scenario,
      added.sealed_personal, added.created_at, added.created_at, added.expires_at, added.expires_at
    FROM added CROSS JOIN LATERAL (
      SELECT id, version FROM workflow
      WHERE app_id = added.app_id AND archived_at IS NULL
        AND (added.workflow_id IS NULL OR id = added.workflow_id)
      ORDER BY is_default DESC, created_at, id LIMIT 1
    ) AS chosen
    RETURNING session_id, workflow_id
  ), told AS (
    INSERT INTO session_event (session_id, app_id, workflow_id, kind, actor_type, actor_id, at, cohort)
    SELECT made.session_id, app_id, made.workflow_id, 'created', creator_type, creator_id, created_at,
      (created_at AT TIME ZONE 'UTC')::date
    FROM made JOIN added USING (session_id)
  )
  SELECT session_id, workflow_id FROM made`

/**
 * Like `insertSession` for many sessions. The result is keyed by session id and omits sessions without a live
 * workflow.
 */
export async function insertSessions(
  sql: Sql,
  sessions: readonly NewSession[],
): Promise<Map<string, { workflow_id: string }>> {
  const { rows } = await sql.query<{ session_id: string; workflow_id: string }>(
    insertStatement,
    [
      ...newSessionColumns.map((column) => sessions.map((session) => session[column])),
      sessions.map(({ created_by }) => created_by.type),
      sessions.map(({ created_by }) => created_by.id),
    ],
    'session.insert',
  )
  return new Map(rows.map(({ session_id, workflow_id }) => [session_id, { workflow_id }]))
}

export async function findSession(sql: Sql, appId: string, sessionId: string): Promise<SessionRecord | null> {
  const { rows } = await sql.query<SessionRecord>(
    `SELECT ${columns} FROM ${withConfig} WHERE session.app_id = $1 AND session.session_id = $2`,
    [appId, sessionId],
  )
  return firstRecord(rows)
}

/** Locks the row, so that the caller sees every check of the session before deciding. */
export async function lockSession(sql: Sql, appId: string, sessionId: string): Promise<SessionRecord | null> {
  const { rows } = await sql.query<SessionRecord>(
    `SELECT ${columns} FROM ${withConfig} WHERE session.app_id = $1 AND session.session_id = $2 FOR UPDATE OF session`,
    [appId, sessionId],
  )
  return firstRecord(rows)
}

export async function findSessionByToken(sql: Sql, tokenSha256: Buffer): Promise<SessionRecord | null> {
  const { rows } = await sql.query<SessionRecord>(
    `SELECT ${columns} FROM ${withConfig} WHERE session.token_sha256 = $1`,
    [tokenSha256],
  )
  return firstRecord(rows)
}

/** The token hashes (hex) that belong to a session. */
export async function findSessionTokens(sql: Sql, tokenSha256: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ token: string }>(
    "SELECT encode(token_sha256, 'hex') AS token FROM session WHERE token_sha256 = ANY($1)",
    [tokenSha256.map((hash) => Buffer.from(hash, 'hex'))],
  )
  return rows.map(({ token }) => token)
}

/** The columns that a transition sets in addition to status, reason, sequence and `updated_at`. */
export type TransitionColumns = Partial<
  Pick<
    SessionRecord,
    | 'started_at'
    | 'submitted_at'
    | 'completed_at'
    | 'due_at'
    | 'last_activity_at'
    | 'round'
    | 'expires_at'
    | 'purged_at'
    | 'warning_count'
    | 'worst_severity'
  >
>

/**
 * Compare-and-set on the sequence number, with the timeline entry. Returns false on a conflict. Entering review
 * clears the assignee, and every transition ends the assignment's validity (`held_until`).
 */
export async function moveSession(
  sql: Sql,
  session: Pick<SessionRecord, 'session_id' | 'sequence'>,
  to: {
    status: SessionStatus
    decision_reason: DecisionReason | null
    at: Date
    set: TransitionColumns
    by: EventActor
    details: EventDetails
  },
): Promise<boolean> {
  const extra = Object.entries(to.set)
  const assignments = extra.map(([column], index) => `, ${column} = $${index + 9}`).join('')
  const { rowCount } = await sql.query(
    `WITH moved AS (
       UPDATE session SET status = $3, decision_reason = $4, updated_at = $5, sequence = sequence + 1,
         held_until = NULL,
         in_review_at = CASE WHEN $3 = 'in_review' THEN $5 ELSE in_review_at END,
         assignee_id = CASE WHEN $3 = 'in_review' THEN NULL ELSE assignee_id END,
         assigned_at = CASE WHEN $3 = 'in_review' THEN NULL ELSE assigned_at END${assignments}
       WHERE session_id = $1 AND sequence = $2
       RETURNING session_id, app_id, workflow_id, created_at)
     INSERT INTO session_event (session_id, app_id, workflow_id, kind, actor_type, actor_id, details, at, cohort)
     SELECT session_id, app_id, workflow_id, 'status_changed', $6, $7, $8::jsonb, $5,
       (created_at AT TIME ZONE 'UTC')::date FROM moved`,
    [
      session.session_id,
      session.sequence,
      to.status,
      to.decision_reason,
      to.at,
      to.by.type,
      to.by.id,
      JSON.stringify(to.details),
      ...extra.map(([, value]) => value),
    ],
  )
  return rowCount === 1
}

/** Records activity of the person, which restarts the abandonment timer. Written at most once per `everySeconds`. */
export async function touchSession(
  sql: Sql,
  session: Pick<SessionRecord, 'session_id'>,
  at: Date,
  dueAt: Date | null,
  everySeconds = 20,
): Promise<void> {
  await sql.query(
    `UPDATE session SET last_activity_at = $2, due_at = $3
     WHERE session_id = $1 AND status = 'in_progress'
       AND (last_activity_at IS NULL OR last_activity_at < $2::timestamptz - make_interval(secs => $4))`,
    [session.session_id, at, dueAt, everySeconds],
  )
}

/** Sets the test scenario if the session has none; it never changes afterwards. */
export async function takeTestScenario(
  sql: Sql,
  session: Pick<SessionRecord, 'app_id' | 'session_id'>,
  scenario: TestScenarioName,
): Promise<void> {
  await sql.query(
    `UPDATE session SET test_scenario = $3
     WHERE app_id = $1 AND session_id = $2 AND environment = 'test' AND test_scenario IS NULL`,
    [session.app_id, session.session_id, scenario],
  )
}

export async function setIdentity(sql: Sql, sessionId: string, sealedIdentity: Buffer | null): Promise<void> {
  await sql.query('UPDATE session SET sealed_identity = $2 WHERE session_id = $1', [
    sessionId,
    sealedIdentity,
  ])
}

/** Sessions with a due transition, longest overdue first. */
export async function dueSessions(sql: Sql, now: Date, limit: number): Promise<SessionRecord[]> {
  const { rows } = await sql.query<SessionRecord>(
    `SELECT ${columns} FROM ${withConfig} WHERE due_at IS NOT NULL AND due_at <= $1 ORDER BY due_at LIMIT $2`,
    [now, limit],
  )
  return rows.map(asRecord)
}

export type { SessionRecord, SessionRow }
