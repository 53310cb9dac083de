import type { EvidenceRef } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type SubmittedEvidence = { round: number; evidence: EvidenceRef[] }

/** The submitted evidence by round; empty after a purge. */
export async function findEvidence(sql: Sql, sessionId: string): Promise<SubmittedEvidence[]> {
  const { rows } = await sql.query<SubmittedEvidence>(
    `SELECT round, payload->'evidence' AS evidence FROM submission WHERE session_id = $1 ORDER BY round DESC`,
    [sessionId],
  )
  return rows
}
