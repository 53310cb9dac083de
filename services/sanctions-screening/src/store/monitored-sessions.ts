import type { WorkflowConfig } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export interface MonitoredScope {
  app_id: string
  session_id: string
  round: number
  environment: string
  review_threshold: number
  /** List ids; null: every list. */
  lists: readonly string[] | null
}

export interface MonitoredSession extends MonitoredScope {
  sealed_identity: Buffer
  known_matches: string[]
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
         known_matches = EXCLUDED.known_matches, active = false, updated_at = now()
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

  async setActive(sql: Sql, scope: { app_id: string; session_id: string }, active: boolean): Promise<void> {
    await sql.query(
      'UPDATE monitored_session SET active = $3, updated_at = now() WHERE app_id = $1 AND session_id = $2',
      [scope.app_id, scope.session_id, active],
    )
  }

  /** Rows deleted. */
  async forget(sql: Sql, scope: { app_id: string; session_id: string }): Promise<number> {
    const { rowCount } = await sql.query(
      'DELETE FROM monitored_session WHERE app_id = $1 AND session_id = $2',
      [scope.app_id, scope.session_id],
    )
    return rowCount
  }

  /** Active sessions that watch `list`, in order of id, after `after`. */
  async page(sql: Sql, list: string, after: string, limit: number): Promise<MonitoredSession[]> {
    const { rows } = await sql.query<MonitoredSession & { every_list: boolean; lists: string[] }>(
      `SELECT session_id, app_id, round, environment, sealed_identity, review_threshold, lists, every_list, known_matches
       FROM monitored_session
       WHERE active AND session_id > $2 AND (every_list OR $1 = ANY (lists))
       ORDER BY session_id LIMIT $3`,
      [list, after, limit],
    )
    return rows.map((row) => ({ ...row, lists: row.every_list ? null : row.lists }))
  }

  /** Adds matches that were told, and rests until the session is approved again. False when another round came meanwhile. */
  async tell(tx: Sql, session: MonitoredSession, matchIds: readonly string[]): Promise<boolean> {
    const { rowCount } = await tx.query(
      `UPDATE monitored_session SET known_matches = known_matches || $3::text[], active = false, updated_at = now()
       WHERE session_id = $1 AND round = $2 AND active`,
      [session.session_id, session.round, matchIds],
    )
    return rowCount === 1
  }
}
