import type { Sql } from '@kyc/runtime'

const tables = ['flow_session', 'flow_step', 'evidence', 'email_verification', 'handoff'] as const

/** Deletes every row of a session except its funnel events, which contain no personal data. */
export async function deleteSession(sql: Sql, sessionId: string): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  for (const table of tables) {
    deleted[table] = (await sql.query(`DELETE FROM ${table} WHERE session_id = $1`, [sessionId])).rowCount
  }
  return deleted
}

/** Funnel events are retained because they contain no personal data. */
export const retainedTables = { flow_event: null }
