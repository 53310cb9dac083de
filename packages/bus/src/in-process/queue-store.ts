import type { Database } from '@kyc/runtime'
import type { DeadLetter, DeadLetterReason, OutgoingMessage, QueueDepth } from '../bus.ts'
import type { Incoming } from '../delivery.ts'
import { flushLater, quoteIdentifier, tableName } from '../tables.ts'

export type Leased = Incoming & { seq: string }

type LeasedRow = {
  seq: string
  message_id: string
  name: string
  version: number
  payload: string
  occurred_ms: number
  ordering_key: string | null
  correlation_id: string | null
  traceparent: string | null
  attempt: number
}

type DepthRow = {
  queue: string
  ready: number
  in_flight: number
  retrying: number
  dead: number
  oldest_ms: number | null
}

type DeadRow = {
  message_id: string
  queue: string
  name: string
  reason: DeadLetterReason
  detail: string
  attempt: number
  occurred_ms: number
  died_ms: number
}

const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

/** The durable queues of the in-process transport: one row per message and consumer queue. */
export function queueStore(database: Database) {
  const schema = quoteIdentifier(database.schema)
  const table = tableName(database.schema, 'message')
  return {
    /** Creates missing tables. Two processes may do so concurrently. */
    async prepare(): Promise<void> {
      await database.transaction(async (tx) => {
        await tx.query(`SELECT pg_advisory_xact_lock(hashtext('kyc bus tables'))`)
        await tx.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
        await tx.query(`CREATE TABLE IF NOT EXISTS ${table} (
          seq            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          queue          text NOT NULL,
          message_id     text NOT NULL,
          name           text NOT NULL,
          version        integer NOT NULL,
          payload        text NOT NULL,
          ordering_key   text,
          correlation_id text,
          traceparent    text,
          occurred_at    timestamptz NOT NULL,
          state          text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'leased', 'retrying', 'dead')),
          retry_at       timestamptz,
          attempt        integer NOT NULL DEFAULT 1,
          crashes        integer NOT NULL DEFAULT 0,
          dead_reason    text,
          dead_detail    text,
          died_at        timestamptz,
          UNIQUE (queue, message_id)
        )`)
        await tx.query(
          `CREATE INDEX IF NOT EXISTS message_ready ON ${table} (queue, seq) WHERE state = 'ready'`,
        )
        await tx.query(
          `CREATE INDEX IF NOT EXISTS message_retry ON ${table} (retry_at) WHERE state = 'retrying'`,
        )
      })
    },

    /**
     * After a crash, makes messages that were in flight ready again, unless they were in flight during `crashLimit`
     * crashes. Assumes that a single process owns these queues.
     */
    async recover(crashLimit: number, now: Date): Promise<number> {
      const { rowCount } = await database.query(
        `UPDATE ${table} SET crashes = crashes + 1,
           state = CASE WHEN crashes + 1 < $1 THEN 'ready' ELSE 'dead' END,
           dead_reason = CASE WHEN crashes + 1 < $1 THEN NULL ELSE 'delivery_limit' END,
           dead_detail = CASE WHEN crashes + 1 < $1 THEN NULL ELSE 'the process ended while handling it' END,
           died_at = CASE WHEN crashes + 1 < $1 THEN NULL ELSE $2::timestamptz END
         WHERE state = 'leased'`,
        [crashLimit, now.toISOString()],
      )
      return rowCount
    },

    /** One row per message and queue. A message that is published again while its row exists is stored once. */
    async enqueue(entries: readonly { queue: string; message: OutgoingMessage }[]): Promise<void> {
      const rows = entries.map(({ queue, message }) => ({
        queue,
        message_id: message.id,
        name: message.name,
        version: message.version,
        payload: message.payload,
        ordering_key: message.orderingKey,
        correlation_id: message.correlationId,
        traceparent: message.traceparent,
        occurred_at: message.occurredAt.toISOString(),
      }))
      await database.query(
        `INSERT INTO ${table} (queue, message_id, name, version, payload, ordering_key, correlation_id,
           traceparent, occurred_at)
         SELECT queue, message_id, name, version, payload, ordering_key, correlation_id, traceparent,
           occurred_at
         FROM json_to_recordset($1::json) AS r (queue text, message_id text, name text, version integer,
           payload text, ordering_key text, correlation_id text, traceparent text, occurred_at timestamptz)
         ON CONFLICT (queue, message_id) DO NOTHING`,
        [JSON.stringify(rows)],
      )
    },

    /** The limit is a sub-query so that the planner walks the index and stops, however outdated its statistics are. */
    async lease(queue: string, limit: number): Promise<Leased[]> {
      const { rows } = await database.query<LeasedRow>(
        `UPDATE ${table} AS m SET state = 'leased'
         FROM (SELECT seq FROM ${table} WHERE queue = $1 AND state = 'ready'
               ORDER BY seq LIMIT (SELECT $2::int) FOR UPDATE SKIP LOCKED) AS picked
         WHERE m.seq = picked.seq AND ${flushLater}
         RETURNING m.seq::text, message_id, name, version, payload, ${milliseconds('occurred_at')} AS occurred_ms,
           ordering_key, correlation_id, traceparent, attempt`,
        [queue, limit],
      )
      return rows
        .sort((a, b) => Number(a.seq) - Number(b.seq))
        .map((row) => ({
          seq: row.seq,
          id: row.message_id,
          name: row.name,
          version: row.version,
          payload: row.payload,
          occurredAt: new Date(row.occurred_ms),
          orderingKey: row.ordering_key ?? undefined,
          correlationId: row.correlation_id ?? undefined,
          traceparent: row.traceparent ?? undefined,
          attempt: row.attempt,
        }))
    },

    async remove(seqs: readonly string[]): Promise<void> {
      await database.query(`DELETE FROM ${table} WHERE seq = ANY($1::bigint[]) AND ${flushLater}`, [seqs])
    },

    async retry(seq: string, attempt: number, retryAt: Date): Promise<void> {
      await database.query(
        `UPDATE ${table} SET state = 'retrying', attempt = $2, retry_at = $3 WHERE seq = $1`,
        [seq, attempt, retryAt.toISOString()],
      )
    },

    /** Makes messages ready whose retry delay has passed; returns the queues that have new messages. */
    async promote(now: Date): Promise<string[]> {
      const { rows } = await database.query<{ queue: string }>(
        `WITH due AS (UPDATE ${table} SET state = 'ready', retry_at = NULL
           WHERE state = 'retrying' AND retry_at <= $1 RETURNING queue)
         SELECT DISTINCT queue FROM due`,
        [now.toISOString()],
      )
      return rows.map((row) => row.queue)
    },

    async park(seq: string, reason: DeadLetterReason, detail: string, now: Date): Promise<void> {
      await database.query(
        `UPDATE ${table} SET state = 'dead', dead_reason = $2, dead_detail = $3, died_at = $4 WHERE seq = $1`,
        [seq, reason, detail, now.toISOString()],
      )
    },

    async depths(now: Date): Promise<QueueDepth[]> {
      const { rows } = await database.query<DepthRow>(
        `SELECT queue,
           count(*) FILTER (WHERE state = 'ready')::int AS ready,
           count(*) FILTER (WHERE state = 'leased')::int AS in_flight,
           count(*) FILTER (WHERE state = 'retrying')::int AS retrying,
           count(*) FILTER (WHERE state = 'dead')::int AS dead,
           ${milliseconds(`min(occurred_at) FILTER (WHERE state <> 'dead')`)} AS oldest_ms
         FROM ${table} GROUP BY queue ORDER BY queue`,
      )
      return rows.map((row) => ({
        queue: row.queue,
        ready: row.ready,
        inFlight: row.in_flight,
        retrying: row.retrying,
        dead: row.dead,
        oldestAgeSeconds:
          row.oldest_ms === null ? undefined : Math.max(0, now.getTime() - row.oldest_ms) / 1000,
      }))
    },

    async listDead(queue: string | undefined, limit: number): Promise<DeadLetter[]> {
      const { rows } = await database.query<DeadRow>(
        `SELECT message_id, queue, name, dead_reason AS reason, coalesce(dead_detail, '') AS detail, attempt,
           ${milliseconds('occurred_at')} AS occurred_ms, ${milliseconds('died_at')} AS died_ms
         FROM ${table} WHERE state = 'dead' AND ($1::text IS NULL OR queue = $1) ORDER BY seq LIMIT $2`,
        [queue ?? null, limit],
      )
      return rows.map((row) => ({
        id: row.message_id,
        queue: row.queue,
        event: row.name,
        reason: row.reason,
        detail: row.detail,
        attempt: row.attempt,
        occurredAt: new Date(row.occurred_ms),
        diedAt: new Date(row.died_ms),
      }))
    },

    async replay(queue: string, ids: readonly string[] | undefined, now: Date): Promise<number> {
      // A new seq moves the message to the end of its queue. Stored as a retry that is due, any running process finds
      // it.
      const { rowCount } = await database.query(
        `UPDATE ${table} SET state = 'retrying', retry_at = $3, attempt = 1, crashes = 0, dead_reason = NULL,
           dead_detail = NULL, died_at = NULL, seq = DEFAULT
         WHERE state = 'dead' AND queue = $1 AND ($2::text[] IS NULL OR message_id = ANY($2))`,
        [queue, ids ?? null, now.toISOString()],
      )
      return rowCount
    },
  }
}
