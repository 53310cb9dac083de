import type { Sql } from '@kyc/runtime'

type MatchVerdict = {
  app_id: string
  session_id: string
  list: string
  entity_id: string
  /** Hash keyed per app, so the table stores no name. */
  person_hash: string
  /** Hash of the list entry as the reviewer saw it. */
  entity_version: string
  verdict: 'true_positive' | 'false_positive' | 'inconclusive'
  reviewed_at: Date
}

type FalsePositive = Pick<MatchVerdict, 'list' | 'entity_id' | 'entity_version' | 'reviewed_at'>

/** Events can arrive out of order, so a verdict never replaces a later one on the same match. */
export async function saveMatchVerdict(tx: Sql, verdict: MatchVerdict): Promise<void> {
  await tx.query(
    `INSERT INTO match_verdict
       (app_id, session_id, list, entity_id, person_hash, entity_version, verdict, reviewed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (app_id, session_id, list, entity_id) DO UPDATE SET person_hash = EXCLUDED.person_hash,
       entity_version = EXCLUDED.entity_version, verdict = EXCLUDED.verdict, reviewed_at = EXCLUDED.reviewed_at
     WHERE match_verdict.reviewed_at <= EXCLUDED.reviewed_at`,
    [
      verdict.app_id,
      verdict.session_id,
      verdict.list,
      verdict.entity_id,
      verdict.person_hash,
      verdict.entity_version,
      verdict.verdict,
      verdict.reviewed_at.toISOString(),
    ],
  )
}

/** Entities whose latest verdict for this person, in any session of the app, is `false_positive`. */
export async function listFalsePositives(
  sql: Sql,
  appId: string,
  personHash: string,
): Promise<FalsePositive[]> {
  const { rows } = await sql.query<FalsePositive & { verdict: string }>(
    `SELECT DISTINCT ON (list, entity_id) list, entity_id, entity_version, reviewed_at, verdict
     FROM match_verdict WHERE app_id = $1 AND person_hash = $2
     ORDER BY list, entity_id, reviewed_at DESC`,
    [appId, personHash],
  )
  return rows.filter((row) => row.verdict === 'false_positive')
}

/** Returns the number of deleted rows. */
export async function deleteMatchVerdicts(
  sql: Sql,
  { app_id, session_id }: { app_id: string; session_id: string },
): Promise<number> {
  const { rowCount } = await sql.query('DELETE FROM match_verdict WHERE app_id = $1 AND session_id = $2', [
    app_id,
    session_id,
  ])
  return rowCount
}
