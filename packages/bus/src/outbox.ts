import { randomUUID } from 'node:crypto'
import type { EventContract } from '@kyc/common'
import { type Clock, type Sql, systemClock } from '@kyc/runtime'
import type { z } from 'zod'
import { outboxChannel, tableName } from './tables.ts'

export type AppendOptions = {
  /** Events of one key are published in the order in which they were appended. Usually the session id. */
  orderingKey?: string
  correlationId?: string
  traceparent?: string
  /**
   * Publish this many milliseconds from now at the earliest. A delayed event does not hold up later ones of its key.
   */
  delayMs?: number
}

export type Outbox = {
  /**
   * Writes the event in the caller's transaction: it is published if, and only if, that transaction commits. Append
   * after taking the row lock on what the key names, so that the order of rows is the order of commits. Returns the
   * message id. Throws a ZodError when the payload does not match the contract.
   */
  append<C extends EventContract>(
    tx: Sql,
    contract: C,
    payload: z.input<C['payload']>,
    options?: AppendOptions,
  ): Promise<string>
}

/**
 * PostgreSQL commits notifying transactions one at a time, so notifying in each one would divide the commits per second
 * of a busy service by five.
 */
const notifyEveryMs = 50

/** `schema`: the schema of the service's tables; by default, the connection's search path decides. */
export function createOutbox(options: { schema?: string; clock?: Clock } = {}): Outbox {
  const clock = options.clock ?? systemClock
  const columns =
    'id, name, version, payload, ordering_key, correlation_id, traceparent, occurred_at, available_at'
  const insert = `INSERT INTO ${tableName(options.schema, 'outbox')} (${columns})
    VALUES ($1, $2, $3, $4::json, $5, $6, $7, $8, $9)`
  const channel = options.schema ? `'${outboxChannel(options.schema)}'` : `'outbox_' || current_schema()`
  const insertAndNotify = `WITH appended AS (${insert}) SELECT pg_notify(${channel}, '')::text`
  let notifiedAt = Number.NEGATIVE_INFINITY
  /** After a notification the relay polls repeatedly for a while, so one notification serves a burst. */
  const statement = () => {
    const now = performance.now()
    if (now - notifiedAt < notifyEveryMs) return insert
    notifiedAt = now
    return insertAndNotify
  }
  return {
    async append(tx, contract, payload, { orderingKey, correlationId, traceparent, delayMs } = {}) {
      const id = randomUUID()
      const now = clock.now()
      await tx.query(statement(), [
        id,
        contract.name,
        contract.version,
        JSON.stringify(contract.payload.parse(payload)),
        orderingKey ?? null,
        correlationId ?? null,
        traceparent ?? null,
        now.toISOString(),
        // Without a delay the event is due by any clock, so a clock that is set back neither holds it up nor lets a
        // later event overtake it.
        delayMs ? new Date(now.getTime() + delayMs).toISOString() : '-infinity',
      ])
      return id
    },
  }
}
