import type { CheckKind, CheckStatus, Severity } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type CheckRow = {
  session_id: string
  kind: CheckKind
  /** '' except for a check with several contributing services. */
  part: string
  round: number
  final: boolean
  status: CheckStatus
  score: number | null
  warnings: { code: string; severity: Severity }[]
  attempts: number
  started_at: Date | null
  completed_at: Date | null
  timed_out: boolean
  sealed: Buffer | null
}

/** Stores a check's outcome, unless one of a later round or a final one of this round already exists. */
export async function upsertCheck(sql: Sql, row: CheckRow): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO session_check (session_id, kind, round, final, status, score, warnings, attempts, started_at,
       completed_at, timed_out, sealed, part)
     VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (session_id, kind, part) DO UPDATE SET round = excluded.round, final = excluded.final,
       status = excluded.status, score = excluded.score, warnings = excluded.warnings, attempts = excluded.attempts,
       started_at = excluded.started_at, completed_at = excluded.completed_at, timed_out = excluded.timed_out,
       sealed = excluded.sealed
     WHERE session_check.round < excluded.round
        OR (session_check.round = excluded.round AND NOT session_check.final)`,
    [
      row.session_id,
      row.kind,
      row.round,
      row.final,
      row.status,
      row.score,
      JSON.stringify(row.warnings),
      row.attempts,
      row.started_at,
      row.completed_at,
      row.timed_out,
      row.sealed,
      row.part,
    ],
  )
  return rowCount === 1
}

/** Replaces a final check of the same round with a later result. Returns false if there is no such check. */
export async function replaceCheck(sql: Sql, row: CheckRow): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE session_check SET status = $5, score = $6, warnings = $7::jsonb, attempts = $8, started_at = $9,
       completed_at = $10, timed_out = $11, sealed = $12
     WHERE session_id = $1 AND kind = $2 AND part = $3 AND round = $4`,
    [
      row.session_id,
      row.kind,
      row.part,
      row.round,
      row.status,
      row.score,
      JSON.stringify(row.warnings),
      row.attempts,
      row.started_at,
      row.completed_at,
      row.timed_out,
      row.sealed,
    ],
  )
  return rowCount === 1
}

export async function findChecks(sql: Sql, sessionId: string): Promise<CheckRow[]> {
  const { rows } = await sql.query<CheckRow>('SELECT * FROM session_check WHERE session_id = $1', [sessionId])
  return rows
}
