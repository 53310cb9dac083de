import { emptyRepliesOfSession, keptReplies } from '@kyc/http'
import type { Sql } from '@kyc/runtime'

/**
 * Clears the personal data in deliveries: the decision, and the excerpts because a receiver may echo the body.
 * Pending deliveries and those in flight continue without a decision.
 */
export async function purgeSession(
  tx: Sql,
  appId: string,
  sessionId: string,
  now: Date,
): Promise<Record<string, number>> {
  // Count before the update, because RETURNING shows the new row, which is already cleared.
  const counted = await tx.query<{ decisions: number }>(
    `SELECT count(sealed_decision)::int AS decisions FROM (
       SELECT sealed_decision FROM delivery WHERE app_id = $1 AND session_id = $2 FOR UPDATE) AS held`,
    [appId, sessionId],
  )
  await tx.query(
    'UPDATE delivery SET sealed_decision = NULL, purged_at = $3 WHERE app_id = $1 AND session_id = $2',
    [appId, sessionId, now.toISOString()],
  )
  const excerpts = await tx.query(
    `UPDATE delivery_attempt SET response_excerpt = NULL
     FROM delivery WHERE delivery.id = delivery_id AND app_id = $1 AND session_id = $2 AND response_excerpt IS NOT NULL`,
    [appId, sessionId],
  )
  return {
    decisions: counted.rows[0]?.decisions ?? 0,
    response_excerpts: excerpts.rowCount,
    idempotent_replies: await emptyRepliesOfSession(tx, { app_id: appId, session_id: sessionId }),
  }
}

/** Deliveries remain as a record, but none may still contain the decision or what a receiver echoed. */
export const retainedTables = {
  ...keptReplies,
  delivery: `sealed_decision IS NOT NULL OR EXISTS (SELECT 1 FROM delivery_attempt
    WHERE delivery_id = delivery.id AND response_excerpt IS NOT NULL)`,
}

const batch = 1_000

/** Deletes deliveries that were completed before `before`, in batches that never hold a lock for long. */
export async function pruneDeliveries(database: Sql, before: Date): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await database.query(
      `DELETE FROM delivery WHERE seq IN (
         SELECT seq FROM delivery WHERE settled_at < $1 ORDER BY settled_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)`,
      [before.toISOString()],
    )
    total += rowCount
    if (rowCount < batch) return total
  }
}
