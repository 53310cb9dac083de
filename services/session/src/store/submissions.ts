import type { sessionSubmitted } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { z } from 'zod'

export type Submission = z.output<typeof sessionSubmitted.payload>

export async function insertSubmission(sql: Sql, submission: Submission): Promise<void> {
  await sql.query('INSERT INTO submission (session_id, round, payload) VALUES ($1, $2, $3::jsonb)', [
    submission.session_id,
    submission.round,
    JSON.stringify(submission),
  ])
}

/** The submission of a round; null if there is none. */
export async function findSubmission(sql: Sql, sessionId: string, round: number): Promise<Submission | null> {
  const { rows } = await sql.query<{ payload: Submission }>(
    'SELECT payload FROM submission WHERE session_id = $1 AND round = $2',
    [sessionId, round],
  )
  return rows[0]?.payload ?? null
}

/** Submissions still processing after `before` that have not been republished. Each is returned once. */
export async function takeOverdueSubmissions(
  sql: Sql,
  before: Date,
  now: Date,
  limit: number,
): Promise<Submission[]> {
  const { rows } = await sql.query<{ payload: Submission }>(
    `UPDATE session SET asked_again_at = $2
     FROM submission
     WHERE session.seq IN (
         SELECT seq FROM session
         WHERE status = 'processing' AND submitted_at < $1
           AND (asked_again_at IS NULL OR asked_again_at < submitted_at)
         ORDER BY submitted_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       AND submission.session_id = session.session_id AND submission.round = session.round
     RETURNING submission.payload`,
    [before, now, limit],
  )
  return rows.map((row) => row.payload)
}
