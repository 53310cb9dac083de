import type { Sql } from '@kyc/runtime'

type SessionScope = { app_id: string; session_id: string }

type MonitoringSettings = SessionScope & {
  round: number
  environment: string
  review_threshold: number
  /** List ids; null means every list. */
  lists: readonly string[] | null
}

export type MonitoredSession = MonitoringSettings & {
  sealed_identity: Buffer
  known_matches: string[]
  /** True while the session is approved: a new match is reported immediately. */
  active: boolean
}

/** Called for a session's first screening and for each new round. The row is inactive until the session is approved. */
export async function saveMonitoredSession(
  tx: Sql,
  settings: MonitoringSettings,
  sealedIdentity: string,
  knownMatches: readonly string[],
): Promise<void> {
  await tx.query(
    `INSERT INTO monitored_session
       (session_id, app_id, round, environment, sealed_identity, review_threshold, lists, every_list, known_matches, active, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, now())
     ON CONFLICT (session_id) DO UPDATE SET round = EXCLUDED.round, sealed_identity = EXCLUDED.sealed_identity,
       review_threshold = EXCLUDED.review_threshold, lists = EXCLUDED.lists, every_list = EXCLUDED.every_list,
       known_matches = EXCLUDED.known_matches, missed_matches = '{}', active = false, updated_at = now()
     WHERE monitored_session.round <= EXCLUDED.round`,
    [
      settings.session_id,
      settings.app_id,
      settings.round,
      settings.environment,
      Buffer.from(sealedIdentity, 'base64'),
      settings.review_threshold,
      settings.lists ?? [],
      settings.lists === null,
      knownMatches,
    ],
  )
}

/**
 * Stores whether the session is approved, unless a later transition was stored before. Returns the session and its
 * pending matches when it is now approved and list updates brought matches while it was not; null otherwise.
 */
export async function setMonitoredSessionActive(
  sql: Sql,
  scope: SessionScope,
  active: boolean,
  sequence: number,
): Promise<{ session: MonitoredSession; pendingMatches: string[] } | null> {
  const { rows } = await sql.query<Row & { missed_matches: string[] }>(
    `UPDATE monitored_session SET active = $3, status_sequence = $4, updated_at = now()
     WHERE app_id = $1 AND session_id = $2 AND status_sequence < $4
     RETURNING ${columns}, missed_matches`,
    [scope.app_id, scope.session_id, active, sequence],
  )
  const [row] = rows
  if (row === undefined || !active || row.missed_matches.length === 0) return null
  return { session: toMonitoredSession(row), pendingMatches: row.missed_matches }
}

/** Returns the number of deleted rows. */
export async function deleteMonitoredSession(sql: Sql, scope: SessionScope): Promise<number> {
  const { rowCount } = await sql.query(
    'DELETE FROM monitored_session WHERE app_id = $1 AND session_id = $2',
    [scope.app_id, scope.session_id],
  )
  return rowCount
}

/** One page of the sessions of every app that monitor `list`, active or not, ordered by id, starting after `after`. */
export async function listMonitoredSessions(
  sql: Sql,
  list: string,
  after: string,
  limit: number,
): Promise<MonitoredSession[]> {
  const { rows } = await sql.query<Row>(
    `SELECT ${columns} FROM monitored_session
     WHERE session_id > $2 AND (every_list OR $1 = ANY (lists))
     ORDER BY session_id LIMIT $3`,
    [list, after, limit],
  )
  return rows.map(toMonitoredSession)
}

/**
 * Adds reported matches to the known ones and deactivates the session until it is approved again. Returns false when
 * the session is not active or has moved to another round, in which case nothing may be reported.
 */
export async function markMatchesReported(
  tx: Sql,
  session: MonitoredSession,
  matchIds: readonly string[],
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE monitored_session
     SET known_matches = known_matches || $4::text[], missed_matches = '{}', active = false, updated_at = now()
     WHERE app_id = $1 AND session_id = $2 AND round = $3 AND active`,
    [session.app_id, session.session_id, session.round, matchIds],
  )
  return rowCount === 1
}

/** Called for a false positive: if the list entry changes later, the match must be reported again. */
export async function removeKnownMatch(
  tx: Sql,
  { app_id, session_id }: SessionScope,
  matchId: string,
): Promise<void> {
  await tx.query(
    `UPDATE monitored_session SET known_matches = array_remove(known_matches, $3), updated_at = now()
     WHERE app_id = $1 AND session_id = $2`,
    [app_id, session_id, matchId],
  )
}

/**
 * Stores matches to be reported once the session is approved. Returns false when the session is active or has moved to
 * another round.
 */
export async function addPendingMatches(
  sql: Sql,
  session: MonitoredSession,
  matchIds: readonly string[],
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE monitored_session SET missed_matches = missed_matches || $4::text[], updated_at = now()
     WHERE app_id = $1 AND session_id = $2 AND round = $3 AND NOT active`,
    [session.app_id, session.session_id, session.round, matchIds],
  )
  return rowCount === 1
}

const columns = `session_id, app_id, round, environment, sealed_identity, review_threshold, lists, every_list,
  known_matches, active`

type Row = Omit<MonitoredSession, 'lists'> & { every_list: boolean; lists: string[] }

const toMonitoredSession = ({ every_list, lists, ...row }: Row): MonitoredSession => ({
  ...row,
  lists: every_list ? null : lists,
})
