import { conflict, type FlowStep } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { StepRecord } from '../domain/progress.ts'

type Round = { session_id: string; round: number }

export async function findSteps(sql: Sql, { session_id, round }: Round): Promise<StepRecord[]> {
  const { rows } = await sql.query<StepRecord>(
    'SELECT step, status, attempts_used, version, progress FROM flow_step WHERE session_id = $1 AND round = $2',
    [session_id, round],
  )
  return rows
}

/** Compare-and-set on the version that the caller read; the slower of two requests gets `conflict`. */
export async function writeStep(
  sql: Sql,
  round: Round,
  seen: StepRecord | undefined,
  next: { step: FlowStep } & Pick<StepRecord, 'status' | 'attempts_used' | 'progress'>,
  at: Date,
): Promise<void> {
  const { rowCount } = await sql.query(
    `INSERT INTO flow_step (session_id, round, step, status, attempts_used, version, progress, updated_at)
     VALUES ($1, $2, $3, $4, $5, 1, $6::jsonb, $7)
     ON CONFLICT (session_id, round, step) DO UPDATE SET status = excluded.status,
       attempts_used = excluded.attempts_used, progress = excluded.progress, updated_at = excluded.updated_at,
       version = flow_step.version + 1
     WHERE flow_step.version = $8`,
    [
      round.session_id,
      round.round,
      next.step,
      next.status,
      next.attempts_used,
      JSON.stringify(next.progress),
      at,
      seen?.version ?? 0,
    ],
  )
  if (rowCount !== 1)
    throw conflict(`The ${next.step} step was changed at the same moment by another request.`)
}
