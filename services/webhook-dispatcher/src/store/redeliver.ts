import type { Database } from '@kyc/runtime'
import { type Delivered, type Failed, redelivered } from '../domain/delivery.ts'
import { stageColumns } from './stage-columns.ts'

export type RedeliverOutcome = 'due' | 'not_found' | 'under_way'

/** Makes one delivered or failed delivery due again. */
export async function redeliverOne(
  database: Database,
  appId: string,
  deliveryId: string,
  now: Date,
): Promise<RedeliverOutcome> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ status: string; attempts: number }>(
      'SELECT status, attempts FROM delivery WHERE app_id = $1 AND id = $2 FOR UPDATE',
      [appId, deliveryId],
    )
    const [row] = rows
    if (row === undefined) return 'not_found'
    if (row.status !== 'delivered' && row.status !== 'failed') return 'under_way'
    const resting: Delivered | Failed = { stage: row.status, attempts: row.attempts }
    const columns = stageColumns(redelivered(resting, now), now)
    await tx.query(
      'UPDATE delivery SET status = $3, next_attempt_at = $4, settled_at = $5 WHERE app_id = $1 AND id = $2',
      [appId, deliveryId, columns.status, columns.next_attempt_at, columns.settled_at],
    )
    return 'due'
  })
}

/** Makes every delivery of the app that failed at or after `since` due again; returns their number. */
export async function redeliverFailedSince(
  database: Database,
  appId: string,
  since: string,
  now: Date,
): Promise<number> {
  const { rowCount } = await database.query(
    `UPDATE delivery SET status = 'pending', next_attempt_at = $3, settled_at = NULL
     WHERE app_id = $1 AND status = 'failed' AND settled_at >= $2`,
    [appId, since, now.toISOString()],
  )
  return rowCount
}
