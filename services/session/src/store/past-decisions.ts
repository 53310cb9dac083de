import type { DecisionReason, WorkflowConfig } from '@kyc/common'
import { workflowConfig } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { DecisionInput } from '../domain/decide.ts'
import type { CheckRow } from './checks.ts'

export type PastDecision = {
  app_id: string
  session_id: string
  round: number
  config: WorkflowConfig
  inputs: DecisionInput[]
  status: 'approved' | 'declined' | 'in_review'
  decision_reason: DecisionReason | null
  decided_at: Date
  checks: CheckRow[]
}

/** The engine's last decision of the latest unpurged sessions of a workflow. Newest first. */
export async function findPastDecisions(
  sql: Sql,
  appId: string,
  workflowId: string,
  limit: number,
): Promise<PastDecision[]> {
  const { rows } = await sql.query<Omit<PastDecision, 'checks'>>(
    `SELECT chosen.app_id, chosen.session_id, chosen.round, version.config, last.inputs, last.status,
       last.decision_reason, last.decided_at
     FROM (
       SELECT * FROM session
       WHERE app_id = $1 AND workflow_id = $2 AND purged_at IS NULL AND completed_at IS NOT NULL
         AND status IN ('approved', 'declined', 'in_review')
       ORDER BY seq DESC LIMIT $3) AS chosen
     JOIN workflow_version AS version
       ON version.workflow_id = chosen.workflow_id AND version.version = chosen.workflow_version
     JOIN LATERAL (
       SELECT * FROM decision WHERE decision.session_id = chosen.session_id ORDER BY sequence DESC LIMIT 1
     ) AS last ON true
     ORDER BY chosen.seq DESC`,
    [appId, workflowId, limit],
  )
  const checks = await sql.query<CheckRow>('SELECT * FROM session_check WHERE session_id = ANY($1)', [
    rows.map((row) => row.session_id),
  ])
  const bySession = new Map<string, CheckRow[]>()
  for (const row of checks.rows) {
    const known = bySession.get(row.session_id)
    if (known) known.push(row)
    else bySession.set(row.session_id, [row])
  }
  return rows.map((row) => ({
    ...row,
    config: workflowConfig.parse(row.config),
    checks: (bySession.get(row.session_id) ?? []).filter((check) => check.round === row.round),
  }))
}
