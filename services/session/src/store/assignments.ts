import type { DecisionReason } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type AssignmentColumns = {
  assignee_id: string | null
  assigned_at: Date | null
  held_until: Date | null
}

/**
 * Compare-and-set: assigns to `userId` (or to nobody) unless another user's assignment is valid at `now` or the
 * session left review. Returns false if nothing changed.
 */
export async function assign(
  sql: Sql,
  session: { app_id: string; session_id: string },
  to: { user_id: string | null; by: string; now: Date; held_until: Date; take_over: boolean },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE session SET assignee_id = $3,
       assigned_at = CASE WHEN $3::text IS NULL THEN NULL
                          WHEN assignee_id = $3 THEN assigned_at ELSE $5::timestamptz END,
       held_until = CASE WHEN $3::text IS NULL THEN NULL ELSE $6::timestamptz END
     WHERE app_id = $1 AND session_id = $2 AND status = 'in_review'
       AND ($7 OR assignee_id IS NULL OR assignee_id = $4 OR held_until IS NULL OR held_until <= $5)`,
    [session.app_id, session.session_id, to.user_id, to.by, to.now, to.held_until, to.take_over],
  )
  return rowCount === 1
}

/** Extends the assignment of a user who is working on the session. */
export async function renewHold(
  sql: Sql,
  session: { session_id: string },
  userId: string,
  heldUntil: Date,
): Promise<void> {
  await sql.query('UPDATE session SET held_until = $3 WHERE session_id = $1 AND assignee_id = $2', [
    session.session_id,
    userId,
    heldUntil,
  ])
}

/** Assigns the longest waiting session without a valid assignment; concurrent callers get different sessions. */
export async function assignOldestFree(
  sql: Sql,
  appId: string,
  filter: { reason: DecisionReason | null; workflow_id: string | null },
  to: { user_id: string; now: Date; held_until: Date },
): Promise<string | null> {
  const { rows } = await sql.query<{ session_id: string }>(
    `UPDATE session SET assignee_id = $2, assigned_at = $3, held_until = $4
     WHERE seq = (
       SELECT seq FROM session
       WHERE app_id = $1 AND status = 'in_review' AND (assignee_id IS NULL OR held_until <= $3)
         AND ($5::text IS NULL OR decision_reason = $5) AND ($6::text IS NULL OR workflow_id = $6)
       ORDER BY in_review_at, seq LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING session_id`,
    [appId, to.user_id, to.now, to.held_until, filter.reason, filter.workflow_id],
  )
  return rows[0]?.session_id ?? null
}
