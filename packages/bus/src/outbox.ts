import { randomUUID } from 'node:crypto'
import type { EventContract } from '@kyc/common'
import { type Clock, type Sql, systemClock } from '@kyc/runtime'
import type { z } from 'zod'
import { outboxChannel, tableName } from './tables.ts'

export type AppendOptions = {
  /** Events of one key leave in the order they were appended; the session id, as a rule. */
  orderingKey?: string
  correlationId?: string
  traceparent?: string
  /** Not before this many milliseconds from now. A delayed event does not hold up later ones of its key. */
  delayMs?: number
}

export type Outbox = {
  /**
   * Writes the event in the caller's transaction: it is sent if, and only if, that commits.
   * Append after taking the row lock on what the key names, so that the order of commits is the order of rows.
   * Returns the message id. Throws a ZodError when the payload does not fit the contract.
   */
  append<C extends EventContract>(
    tx: Sql,
    contract: C,
    payload: z.input<C['payload']>,
    options?: AppendOptions,
  ): Promise<string>
}

/**
 * PostgreSQL lets one notifying transaction commit at a time: notifying in every one divides the commits per
 * second of a busy service by five.
 */
const notifyEveryMs = 50

/** `schema`: where the service's tables are; by default wherever the connection's search path finds them. */
export function createOutbox(options: { schema?: string; clock?: Clock } = {}): Outbox {
  const clock = options.clock ?? systemClock
  const columns =
    'id, name, version, payload, ordering_key, correlation_id, traceparent, occurred_at, available_at'
  const insert = `INSERT INTO ${tableName(options.schema, 'outbox')} (${columns})
    VALUES ($1, $2, $3, $4::json, $5, $6, $7, $8, $9)`
  const channel = options.schema ? `'${outboxChannel(options.schema)}'` : `'outbox_' || current_schema()`
  const insertAndNotify = `WITH appended AS (${insert}) SELECT pg_notify(${channel}, '')::text`
  let notifiedAt = Number.NEGATIVE_INFINITY
  /** A relay that was notified looks again and again for a while, so one notification serves a burst. */
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
        // Without a delay it is due by any clock: one that is set back neither holds it up nor lets a later one overtake it.
        delayMs ? new Date(now.getTime() + delayMs).toISOString() : '-infinity',
      ])
      return id
    },
  }
}
