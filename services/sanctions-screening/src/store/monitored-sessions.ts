import type { WorkflowConfig } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type MonitoredScope = {
  app_id: string
  session_id: string
  round: number
  environment: string
  review_threshold: number
  /** List ids; null: every list. */
  lists: readonly string[] | null
}

export type MonitoredSession = MonitoredScope & {
  sealed_identity: Buffer
  known_matches: string[]
  /** Approved: a new match is told at once. */
  active: boolean
}

export function scopeOf(payload: {
  app_id: string
  session_id: string
  round: number
  environment: string
  config: WorkflowConfig
}): MonitoredScope {
  const { app_id, session_id, round, environment, config } = payload
  return {
    app_id,
    session_id,
    round,
    environment,
    review_threshold: config.review_threshold,
    lists: config.steps.aml.lists,
  }
}

/** Sessions whose workflow asks for ongoing monitoring, with the identity still sealed under their own key. */
export class MonitoredSessions {
  /** Called with a session's first screening and with each new round; it waits until the session is approved. */
  async remember(
    tx: Sql,
    scope: MonitoredScope,
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
        scope.session_id,
        scope.app_id,
        scope.round,
        scope.environment,
        Buffer.from(sealedIdentity, 'base64'),
        scope.review_threshold,
        scope.lists ?? [],
        scope.lists === null,
        knownMatches,
      ],
    )
  }

  /**
   * Follows the session's status; an older transition than the last one changes nothing. Returns the session and what
   * it missed when it is approved and updates brought matches while it was not.
   */
  async setActive(
    sql: Sql,
    scope: { app_id: string; session_id: string },
    active: boolean,
    sequence: number,
  ): Promise<{ session: MonitoredSession; missed: string[] } | null> {
    const { rows } = await sql.query<Row & { missed_matches: string[] }>(
      `UPDATE monitored_session SET active = $3, status_sequence = $4, updated_at = now()
       WHERE app_id = $1 AND session_id = $2 AND status_sequence < $4
       RETURNING ${columns}, missed_matches`,
      [scope.app_id, scope.session_id, active, sequence],
    )
    const [row] = rows
    if (row === undefined || !active || row.missed_matches.length === 0) return null
    return { session: sessionOf(row), missed: row.missed_matches }
  }

  /** Rows deleted. */
  async forget(sql: Sql, scope: { app_id: string; session_id: string }): Promise<number> {
    const { rowCount } = await sql.query(
      'DELETE FROM monitored_session WHERE app_id = $1 AND session_id = $2',
      [scope.app_id, scope.session_id],
    )
    return rowCount
  }

  /** Sessions that watch `list`, approved or not, in order of id, after `after`. */
  async page(sql: Sql, list: string, after: string, limit: number): Promise<MonitoredSession[]> {
    const { rows } = await sql.query<Row>(
      `SELECT ${columns} FROM monitored_session
       WHERE session_id > $2 AND (every_list OR $1 = ANY (lists))
       ORDER BY session_id LIMIT $3`,
      [list, after, limit],
    )
    return rows.map(sessionOf)
  }

  /**
   * Adds matches that are told, and rests until the session is approved again. False when it is not approved, or
   * another round came meanwhile.
   */
  async tell(tx: Sql, session: MonitoredSession, matchIds: readonly string[]): Promise<boolean> {
    const { rowCount } = await tx.query(
      `UPDATE monitored_session
       SET known_matches = known_matches || $4::text[], missed_matches = '{}', active = false, updated_at = now()
       WHERE app_id = $1 AND session_id = $2 AND round = $3 AND active`,
      [session.app_id, session.session_id, session.round, matchIds],
    )
    return rowCount === 1
  }

  /** A false positive is no match: what its entity becomes is news again. */
  async dismiss(
    tx: Sql,
    { app_id, session_id }: { app_id: string; session_id: string },
    matchId: string,
  ): Promise<void> {
    await tx.query(
      `UPDATE monitored_session SET known_matches = array_remove(known_matches, $3), updated_at = now()
       WHERE app_id = $1 AND session_id = $2`,
      [app_id, session_id, matchId],
    )
  }

  /** Keeps matches for the moment the session is approved. False when it is, or another round came meanwhile. */
  async miss(sql: Sql, session: MonitoredSession, matchIds: readonly string[]): Promise<boolean> {
    const { rowCount } = await sql.query(
      `UPDATE monitored_session SET missed_matches = missed_matches || $4::text[], updated_at = now()
       WHERE app_id = $1 AND session_id = $2 AND round = $3 AND NOT active`,
      [session.app_id, session.session_id, session.round, matchIds],
    )
    return rowCount === 1
  }
}

const columns = `session_id, app_id, round, environment, sealed_identity, review_threshold, lists, every_list,
  known_matches, active`

type Row = Omit<MonitoredSession, 'lists'> & { every_list: boolean; lists: string[] }

const sessionOf = ({ every_list, lists, ...row }: Row): MonitoredSession => ({
  ...row,
  lists: every_list ? null : lists,
})
