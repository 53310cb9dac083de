import type { Sql } from '@kyc/runtime'
import type { Scope } from '../domain/session-scope.ts'

export type AttemptRecord = {
  attempts: number
  best_frame: string | null
  sealed_check: Buffer
}

export async function findAttempt(sql: Sql, scope: Scope, round: number): Promise<AttemptRecord | null> {
  const { rows } = await sql.query<AttemptRecord>(
    `SELECT attempts, best_frame, sealed_check FROM liveness_attempt
     WHERE app_id = $1 AND session_id = $2 AND round = $3`,
    [scope.app_id, scope.session_id, round],
  )
  return rows[0] ?? null
}

/** Stores the latest attempt of a round, replacing the previous one. */
export async function saveAttempt(
  tx: Sql,
  scope: Scope,
  attempt: AttemptRecord & { round: number; status: string; at: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO liveness_attempt (session_id, round, app_id, attempts, status, best_frame, sealed_check, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (session_id, round) DO UPDATE SET attempts = excluded.attempts, status = excluded.status,
       best_frame = excluded.best_frame, sealed_check = excluded.sealed_check, updated_at = excluded.updated_at`,
    [
      scope.session_id,
      attempt.round,
      scope.app_id,
      attempt.attempts,
      attempt.status,
      attempt.best_frame,
      attempt.sealed_check,
      attempt.at,
    ],
  )
}
