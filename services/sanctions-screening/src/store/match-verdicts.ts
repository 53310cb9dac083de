import type { Sql } from '@kyc/runtime'

export type MatchVerdict = {
  app_id: string
  session_id: string
  list: string
  entity_id: string
  /** Keyed hash of the app: no name is kept. */
  person_hash: string
  /** Of the entity that the reviewer saw. */
  entity_version: string
  verdict: 'true_positive' | 'false_positive' | 'inconclusive'
  reviewed_at: Date
}

export type FalsePositive = Pick<MatchVerdict, 'list' | 'entity_id' | 'entity_version' | 'reviewed_at'>

/** Reviewers' verdicts on matches. They go with the session they were given in. */
export class MatchVerdicts {
  /** The later verdict on the same match counts, in whichever order they arrive. */
  async remember(tx: Sql, verdict: MatchVerdict): Promise<void> {
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

  /** Entities whose last verdict for this person, in any session of the app, was `false_positive`. */
  async falsePositives(sql: Sql, appId: string, personHash: string): Promise<FalsePositive[]> {
    const { rows } = await sql.query<FalsePositive & { verdict: string }>(
      `SELECT DISTINCT ON (list, entity_id) list, entity_id, entity_version, reviewed_at, verdict
       FROM match_verdict WHERE app_id = $1 AND person_hash = $2
       ORDER BY list, entity_id, reviewed_at DESC`,
      [appId, personHash],
    )
    return rows.filter((row) => row.verdict === 'false_positive')
  }

  /** Rows deleted. */
  async forget(sql: Sql, scope: { app_id: string; session_id: string }): Promise<number> {
    const { rowCount } = await sql.query('DELETE FROM match_verdict WHERE app_id = $1 AND session_id = $2', [
      scope.app_id,
      scope.session_id,
    ])
    return rowCount
  }
}
