import type { Database } from '@kyc/runtime'
import type { OutgoingMessage } from './bus.ts'
import { flushLater, tableName } from './tables.ts'

export type LeasedMessage = OutgoingMessage & { seq: string; attempts: number }

type Row = {
  seq: string
  id: string
  name: string
  version: number
  payload: string
  occurred_ms: number
  ordering_key: string | null
  correlation_id: string | null
  traceparent: string | null
  attempts: number
}

/** The relay's four statements on one service's outbox. */
export function relayStore(database: Database) {
  const outbox = tableName(database.schema, 'outbox')
  return {
    /**
     * Leases up to `limit` due rows. Leases use the database's clock, which all replicas share; `now` is the process's
     * clock, which decides what is due. A later row of a key waits until the earlier one is marked sent. The limit is a
     * sub-query, so that the planner does not know it, walks the index and stops; with outdated statistics from a
     * quieter time it would otherwise sort the whole backlog for every batch.
     */
    async lease(now: Date, limit: number, leaseMs: number): Promise<LeasedMessage[]> {
      const { rows } = await database.query<Row>(
        `UPDATE ${outbox} AS o SET leased_until = clock_timestamp() + $3 * interval '1 millisecond'
         FROM (
           SELECT seq FROM ${outbox} AS due
           WHERE sent_at IS NULL AND available_at <= $1
             AND (leased_until IS NULL OR leased_until < clock_timestamp())
             AND (ordering_key IS NULL OR NOT EXISTS (
               SELECT 1 FROM ${outbox} AS older
               WHERE older.ordering_key = due.ordering_key AND older.seq < due.seq
                 AND older.sent_at IS NULL AND older.available_at <= $1))
           ORDER BY seq LIMIT (SELECT $2::int) FOR UPDATE SKIP LOCKED) AS picked
         WHERE o.seq = picked.seq AND ${flushLater}
         RETURNING o.seq::text, o.id, o.name, o.version, o.payload::text,
           (extract(epoch FROM o.occurred_at) * 1000)::float8 AS occurred_ms,
           o.ordering_key, o.correlation_id, o.traceparent, o.attempts`,
        [now.toISOString(), limit, leaseMs],
      )
      return rows
        .sort((a, b) => Number(a.seq) - Number(b.seq))
        .map((row) => ({
          seq: row.seq,
          id: row.id,
          name: row.name,
          version: row.version,
          payload: row.payload,
          occurredAt: new Date(row.occurred_ms),
          orderingKey: row.ordering_key ?? undefined,
          correlationId: row.correlation_id ?? undefined,
          traceparent: row.traceparent ?? undefined,
          attempts: row.attempts,
        }))
    },

    async markSent(now: Date, seqs: readonly string[]): Promise<void> {
      await database.query(
        `UPDATE ${outbox} SET sent_at = $1, leased_until = NULL WHERE seq = ANY($2::bigint[]) AND ${flushLater}`,
        [now.toISOString(), seqs],
      )
    },

    /** Releases the leases; the rows are retried at `availableAt`. */
    async release(availableAt: Date, seqs: readonly string[]): Promise<void> {
      await database.query(
        `UPDATE ${outbox} SET leased_until = NULL, attempts = attempts + 1,
           available_at = greatest(available_at, $1) WHERE seq = ANY($2::bigint[])`,
        [availableAt.toISOString(), seqs],
      )
    },

    async prune(sentBefore: Date): Promise<number> {
      const { rowCount } = await database.query(`DELETE FROM ${outbox} WHERE sent_at < $1`, [
        sentBefore.toISOString(),
      ])
      return rowCount
    },

    async lag(now: Date): Promise<{ pending: number; oldestAgeSeconds: number }> {
      const { rows } = await database.query<{ pending: number; oldest_ms: number | null }>(
        `SELECT count(*)::int AS pending,
           (extract(epoch FROM min(greatest(available_at, occurred_at))) * 1000)::float8 AS oldest_ms
         FROM ${outbox} WHERE sent_at IS NULL AND available_at <= $1`,
        [now.toISOString()],
      )
      const oldest = rows[0]?.oldest_ms
      const ageMs = oldest === null || oldest === undefined ? 0 : now.getTime() - oldest
      return { pending: rows[0]?.pending ?? 0, oldestAgeSeconds: Math.max(0, ageMs) / 1000 }
    },
  }
}
