import { type WorkflowConfig, workflowConfig } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { DecisionInput, Outcome } from '../domain/decide.ts'

export type StoredDecision = { session_id: string; sequence: number; inputs: DecisionInput[] } & Outcome

export async function insertDecision(sql: Sql, decision: StoredDecision, at: Date): Promise<void> {
  await sql.query(
    `INSERT INTO decision (session_id, sequence, inputs, status, decision_reason, decided_at)
     VALUES ($1, $2, $3::jsonb, $4, $5, $6)`,
    [
      decision.session_id,
      decision.sequence,
      JSON.stringify(decision.inputs),
      decision.status,
      decision.decision_reason,
      at,
    ],
  )
}

export type DecisionToReplay = StoredDecision & {
  app_id: string
  config: WorkflowConfig
  /** Whether this is the last decision of its session. */
  latest: boolean
}

/** Stored decisions with their workflow version, ordered by session and sequence, starting after the given one. */
export async function decisionsAfter(
  sql: Sql,
  after: { session_id: string; sequence: number },
  limit: number,
): Promise<DecisionToReplay[]> {
  const { rows } = await sql.query<DecisionToReplay>(
    `SELECT decision.session_id, decision.sequence, decision.inputs, decision.status, decision.decision_reason,
       session.app_id, workflow_version.config, NOT EXISTS (
         SELECT 1 FROM decision AS later
         WHERE later.session_id = decision.session_id AND later.sequence > decision.sequence) AS latest
     FROM decision JOIN session USING (session_id)
     JOIN workflow_version ON workflow_version.workflow_id = session.workflow_id
       AND workflow_version.version = session.workflow_version
     WHERE (decision.session_id, decision.sequence) > ($1, $2)
     ORDER BY decision.session_id, decision.sequence LIMIT $3`,
    [after.session_id, after.sequence, limit],
  )
  return rows.map((row) => ({ ...row, config: workflowConfig.parse(row.config) }))
}
