import type { Sql } from '@kyc/runtime'

/** True if it is the first event of its name in the session. */
export async function insertFlowEvent(
  sql: Sql,
  session: { session_id: string; app_id: string },
  name: string,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql.query<{ first: boolean }>(
    `WITH known AS (SELECT 1 FROM flow_event WHERE session_id = $1 AND name = $3 LIMIT 1)
     INSERT INTO flow_event (session_id, app_id, name, at) VALUES ($1, $2, $3, $4)
     RETURNING NOT EXISTS (SELECT 1 FROM known) AS first`,
    [session.session_id, session.app_id, name, at],
  )
  return rows[0]?.first ?? false
}
