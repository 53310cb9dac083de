import type { Sql } from '@kyc/runtime'
import type { Failed, Pending } from '../domain/delivery.ts'
import type { DeliveryEvent } from '../domain/delivery-body.ts'
import { stageColumns } from './stage-columns.ts'

export type NewDelivery = {
  app_id: string
  event: DeliveryEvent
  sealed_decision: Buffer | null
  correlation_id: string | null
  traceparent?: string | undefined
  stage: Pending | Failed
  now: Date
}

export async function insertDelivery(tx: Sql, delivery: NewDelivery): Promise<void> {
  const { app_id, event, sealed_decision, correlation_id, stage, now } = delivery
  const columns = stageColumns(stage, now)
  await tx.query(
    `INSERT INTO delivery (id, app_id, session_id, event, data, sealed_decision, correlation_id, created_at,
                           status, attempts, next_attempt_at, settled_at, traceparent)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      event.delivery_id,
      app_id,
      event.event === 'ping' ? null : event.data.session_id,
      event.event,
      JSON.stringify(event.data),
      sealed_decision,
      correlation_id,
      event.created_at,
      columns.status,
      columns.attempts,
      columns.next_attempt_at,
      columns.settled_at,
      delivery.traceparent ?? null,
    ],
  )
}

/** Whether the app currently has a webhook URL. */
export async function hasDestination(tx: Sql, appId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'SELECT 1 FROM webhook_endpoint WHERE app_id = $1 AND url IS NOT NULL',
    [appId],
  )
  return rowCount > 0
}
