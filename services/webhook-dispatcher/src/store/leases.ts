import { type Environment, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { Delivering } from '../domain/delivery.ts'
import type { DeliveryEvent } from '../domain/delivery-body.ts'

/** A leased delivery, with everything that its next attempt needs. */
export type Lease = {
  lease_id: string
  app_id: string
  event: DeliveryEvent
  sealed_decision: Buffer | null
  correlation_id: string | null
  traceparent: string | null
  stage: Delivering
  /** Read at lease time, so that a new URL or secret applies to every pending delivery immediately. */
  destination: { url: string; sealed_secret: Buffer; environment: Environment } | null
}

type Row = {
  id: string
  app_id: string
  event: DeliveryEvent['event']
  data: unknown
  sealed_decision: Buffer | null
  correlation_id: string | null
  traceparent: string | null
  created_at: Date
  attempts: number
  lease_id: string
  leased_until: Date
  url: string | null
  sealed_secret: Buffer | null
  environment: Environment | null
}

/**
 * Apps with due deliveries: a skip scan over the index from app to app, independent of queue length. The statements
 * in this file permit only one plan, because the statistics of a queue are always stale.
 */
export async function dueApps(database: Sql, now: Date): Promise<string[]> {
  const { rows } = await database.query<{ app_id: string }>(
    `WITH RECURSIVE app AS (
       (SELECT app_id, next_attempt_at FROM delivery WHERE status = 'pending'
        ORDER BY app_id, next_attempt_at, seq LIMIT 1)
       UNION ALL
       SELECT following.* FROM app CROSS JOIN LATERAL (
         SELECT app_id, next_attempt_at FROM delivery WHERE status = 'pending' AND delivery.app_id > app.app_id
         ORDER BY app_id, next_attempt_at, seq LIMIT 1) AS following)
     SELECT app_id FROM app WHERE next_attempt_at <= $1`,
    [now.toISOString()],
    'due_apps',
  )
  return rows.map((row) => row.app_id)
}

/**
 * Leases due deliveries, up to a limit per app, longest due first. An event waits while an earlier one of its session
 * has not had its first attempt. Replicas skip rows locked by others. The commit is asynchronous, because a lease
 * lost in a database crash only leaves the delivery due.
 */
export async function takeLeases(
  database: Sql,
  slots: ReadonlyMap<string, number>,
  now: Date,
  lease: { id: string; until: Date },
): Promise<Lease[]> {
  const { rows } = await database.query<Row>(
    `WITH due AS (
       SELECT due.seq FROM unnest($1::text[], $2::int[]) AS allotted (app_id, slots)
       CROSS JOIN LATERAL (
         SELECT seq FROM delivery
         WHERE delivery.app_id = allotted.app_id AND status = 'pending' AND next_attempt_at <= $3
           AND (SELECT earlier.seq FROM delivery AS earlier
                WHERE earlier.session_id = delivery.session_id AND earlier.seq < delivery.seq
                  AND earlier.attempts = 0 AND earlier.status IN ('pending', 'delivering')
                LIMIT 1) IS NULL
         ORDER BY next_attempt_at, seq
         LIMIT allotted.slots
         FOR UPDATE SKIP LOCKED) AS due),
     taken AS (
       UPDATE delivery SET status = 'delivering', next_attempt_at = NULL, lease_id = $4, leased_until = $5
       FROM due WHERE delivery.seq = due.seq
       RETURNING id, delivery.app_id, event, data, sealed_decision, correlation_id, traceparent, created_at, attempts,
                 lease_id, leased_until)
     SELECT taken.*, url, sealed_secret, environment, set_config('synchronous_commit', 'off', true)
     FROM taken LEFT JOIN webhook_endpoint USING (app_id)`,
    [[...slots.keys()], [...slots.values()], now.toISOString(), lease.id, lease.until.toISOString()],
    'take_leases',
  )
  return rows.map(toLease)
}

function toLease(row: Row): Lease {
  // Written by insertDelivery, so `event` and `data` match.
  const event = {
    event: row.event,
    delivery_id: row.id,
    created_at: toTimestamp(row.created_at),
    data: row.data,
  } as DeliveryEvent
  const { url, sealed_secret, environment } = row
  const hasReceiver = url !== null && sealed_secret !== null && environment !== null
  return {
    lease_id: row.lease_id,
    app_id: row.app_id,
    event,
    sealed_decision: row.sealed_decision,
    correlation_id: row.correlation_id,
    traceparent: row.traceparent,
    stage: {
      stage: 'delivering',
      attempts: row.attempts,
      attempt: row.attempts + 1,
      leasedUntil: row.leased_until,
    },
    destination: hasReceiver ? { url, sealed_secret, environment } : null,
  }
}

/** Reclaims expired leases by making their deliveries due again; returns their number. */
export async function returnExpiredLeases(database: Sql, now: Date): Promise<number> {
  const { rowCount } = await database.query(
    `UPDATE delivery SET status = 'pending', next_attempt_at = $1, lease_id = NULL, leased_until = NULL
     WHERE status = 'delivering' AND leased_until <= $1`,
    [now.toISOString()],
  )
  return rowCount
}
