import type { Sql } from '@kyc/runtime'
import type { Scope } from '../domain/session-scope.ts'

/** Whether one of the frames already answered a challenge of this app. */
export async function anyAnswered(sql: Sql, appId: string, hashes: readonly string[]): Promise<boolean> {
  const { rows } = await sql.query(
    'SELECT 1 FROM answered_frame WHERE app_id = $1 AND frame_hash = ANY ($2) LIMIT 1',
    [appId, hashes],
  )
  return rows.length > 0
}

export async function rememberAnswered(
  tx: Sql,
  scope: Scope,
  hashes: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO answered_frame (app_id, frame_hash, session_id, seen_at)
     SELECT $1, hash, $3, $4 FROM unnest($2::text[]) AS hash ON CONFLICT DO NOTHING`,
    [scope.app_id, hashes, scope.session_id, at],
  )
}
