import type { Sql } from '@kyc/runtime'

/** Deletes review data in a purge: notes, match verdicts, the name index, and timeline events other than statuses. */
export async function stripReviewData(sql: Sql, sessionId: string): Promise<Record<string, number>> {
  const deleted = async (table: string) =>
    (await sql.query(`DELETE FROM ${table} WHERE session_id = $1`, [sessionId])).rowCount
  await sql.query(
    'UPDATE session SET assignee_id = NULL, assigned_at = NULL, held_until = NULL WHERE session_id = $1',
    [sessionId],
  )
  const kept = `kind NOT IN ('created', 'status_changed', 'purged')`
  const events = await sql.query(`DELETE FROM session_event WHERE session_id = $1 AND counted AND ${kept}`, [
    sessionId,
  ])
  // Events not yet rolled into analytics are retained without the session id.
  const nameless = await sql.query(
    `UPDATE session_event SET session_id = NULL WHERE session_id = $1 AND ${kept}`,
    [sessionId],
  )
  return {
    session_note: await deleted('session_note'),
    match_review: await deleted('match_review'),
    session_name: await deleted('session_name'),
    session_event: events.rowCount + nameless.rowCount,
  }
}
