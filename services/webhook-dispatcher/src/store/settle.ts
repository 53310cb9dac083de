import type { Sql } from '@kyc/runtime'
import type { Attempt } from '../domain/attempt.ts'
import type { Delivered, Failed, Pending } from '../domain/delivery.ts'
import { stageColumns } from './stage-columns.ts'

/** The outcome of a lease. Without an attempt, none is counted. */
export type Settlement = {
  delivery_id: string
  lease_id: string
  stage: Delivered | Pending | Failed
  attempt: (Attempt & { number: number; at: Date }) | null
  now: Date
}

/**
 * Writes many outcomes in one statement. Only the lease holder can write: a worker that resumes after its lease was
 * reclaimed changes nothing. Returns the ids that were written.
 */
export async function settle(database: Sql, settlements: readonly Settlement[]): Promise<Set<string>> {
  const columns = settlements.map((item) => stageColumns(item.stage, item.now))
  const { rows } = await database.query<{ id: string }>(
    `WITH given AS (
       SELECT * FROM unnest(
         $1::text[], $2::uuid[], $3::text[], $4::int[], $5::timestamptz[], $6::timestamptz[],
         $7::int[], $8::timestamptz[], $9::int[], $10::text[], $11::bytea[], $12::int[])
       AS given (id, lease_id, status, attempts, next_attempt_at, settled_at,
                 number, at, status_code, error, response_excerpt, duration_ms)),
     settled AS (
       UPDATE delivery SET status = given.status, attempts = given.attempts,
         next_attempt_at = given.next_attempt_at, settled_at = given.settled_at, lease_id = NULL, leased_until = NULL
       FROM given
       WHERE delivery.id = given.id AND delivery.lease_id = given.lease_id AND delivery.status = 'delivering'
       RETURNING delivery.id, purged_at),
     recorded AS (
       INSERT INTO delivery_attempt (delivery_id, number, at, status_code, error, response_excerpt, duration_ms)
       SELECT given.id, number, at, status_code, error,
              -- After a purge nothing that may repeat the body is kept.
              CASE WHEN purged_at IS NULL THEN response_excerpt END, duration_ms
       FROM given JOIN settled USING (id) WHERE number IS NOT NULL)
     SELECT id FROM settled`,
    [
      settlements.map((item) => item.delivery_id),
      settlements.map((item) => item.lease_id),
      columns.map((item) => item.status),
      columns.map((item) => item.attempts),
      columns.map((item) => item.next_attempt_at),
      columns.map((item) => item.settled_at),
      settlements.map((item) => item.attempt?.number ?? null),
      settlements.map((item) => item.attempt?.at.toISOString() ?? null),
      settlements.map((item) => item.attempt?.status_code ?? null),
      settlements.map((item) => item.attempt?.error ?? null),
      settlements.map((item) => item.attempt?.response_excerpt ?? null),
      settlements.map((item) => item.attempt?.duration_ms ?? null),
    ],
    'settle',
  )
  return new Set(rows.map((row) => row.id))
}
