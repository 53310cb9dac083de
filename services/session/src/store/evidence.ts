import type { EvidenceRef } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type SubmittedEvidence = { round: number; evidence: EvidenceRef[] }

/** What was handed in, by round; nothing once the session is purged. */
export async function findEvidence(sql: Sql, sessionId: string): Promise<SubmittedEvidence[]> {
  const { rows } = await sql.query<SubmittedEvidence>(
    `SELECT round, payload->'evidence' AS evidence FROM submission WHERE session_id = $1 ORDER BY round DESC`,
    [sessionId],
  )
  return rows
}
