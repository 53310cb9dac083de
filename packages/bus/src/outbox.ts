import { randomUUID } from 'node:crypto'
import type { EventContract } from '@kyc/common'
import { type Clock, type Sql, systemClock } from '@kyc/runtime'
import type { z } from 'zod'
import { tableName } from './tables.ts'

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

/** `schema`: where the service's tables are; by default wherever the connection's search path finds them. */
export function createOutbox(options: { schema?: string; clock?: Clock } = {}): Outbox {
  const clock = options.clock ?? systemClock
  const insert = `
    WITH appended AS (
      INSERT INTO ${tableName(options.schema, 'outbox')}
        (id, name, version, payload, ordering_key, correlation_id, traceparent, occurred_at, available_at)
      VALUES ($1, $2, $3, $4::json, $5, $6, $7, $8, $9))
    SELECT pg_notify('outbox_' || coalesce($10::text, current_schema()), '')`
  return {
    async append(tx, contract, payload, { orderingKey, correlationId, traceparent, delayMs } = {}) {
      const id = randomUUID()
      const now = clock.now()
      await tx.query(insert, [
        id,
        contract.name,
        contract.version,
        JSON.stringify(contract.payload.parse(payload)),
        orderingKey ?? null,
        correlationId ?? null,
        traceparent ?? null,
        now.toISOString(),
        new Date(now.getTime() + (delayMs ?? 0)).toISOString(),
        options.schema ?? null,
      ])
      return id
    },
  }
}
