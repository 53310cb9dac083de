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
