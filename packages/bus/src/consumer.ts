import type { EventContract } from '@kyc/common'
import type { Database, Sql } from '@kyc/runtime'
import type { z } from 'zod'
import { type Bus, type EventMessage, queueName } from './bus.ts'
import { inbox } from './inbox.ts'
import type { AppendOptions, Outbox } from './outbox.ts'

/** A message that the surrounding transaction has claimed in the inbox. */
export type ClaimedMessage<C extends EventContract = EventContract> = EventMessage<C> & {
  /** Appends an event in the same transaction; the correlation id and the trace of this message are passed on. */
  publish<E extends EventContract>(
    contract: E,
    payload: z.input<E['payload']>,
    options?: Pick<AppendOptions, 'orderingKey' | 'delayMs'>,
  ): Promise<string>
}

export type Consumption<C extends EventContract, P> = {
  /** How many messages one process handles at once. */
  prefetch?: number
  /**
   * Slow work before the transaction, such as reading the vault or running a model, so that no lock is held meanwhile.
   * It runs again on a redelivery, so it must have no effect. `null` acknowledges the message without a transaction.
   */
  prepare?(message: EventMessage<C>): Promise<P | null>
  /** The effect. Runs in a transaction that has claimed the message, so it commits at most once. */
  handle(tx: Sql, message: ClaimedMessage<C>, prepared: P): Promise<void>
  /** Runs after the commit, and after a duplicate. For effects outside the database, such as a cache or a wake-up. */
  afterCommit?(message: EventMessage<C>): Promise<void> | void
}

export type Consumer = {
  consume<C extends EventContract, P = undefined>(contract: C, consumption: Consumption<C, P>): void
}

/**
 * Subscribes a service's handlers so that each message has its effect exactly once: the claim in the inbox, the effect and
 * every published event are one transaction.
 */
export function createConsumer(deps: {
  service: string
  bus: Bus
  database: Pick<Database, 'transaction'>
  outbox: Outbox
}): Consumer {
  const { service, bus, database, outbox } = deps
  return {
    consume<C extends EventContract, P>(
      contract: C,
      { prefetch, prepare, handle, afterCommit }: Consumption<C, P>,
    ) {
      const consumerName = queueName(service, contract.name)
      bus.subscribe(contract, {
        service,
        ...(prefetch === undefined ? {} : { prefetch }),
        handle: async (message) => {
          const prepared = prepare ? await prepare(message) : undefined
          if (prepared === null) return
          await database.transaction(async (tx) => {
            if (!(await inbox.claim(tx, consumerName, message.id))) return
            await handle(tx, claimed(tx, outbox, message), prepared as P)
          })
          await afterCommit?.(message)
        },
      })
    },
  }
}

function claimed<C extends EventContract>(
  tx: Sql,
  outbox: Outbox,
  message: EventMessage<C>,
): ClaimedMessage<C> {
  const { correlationId, traceparent } = message
  return {
    ...message,
    publish: (contract, payload, options) =>
      outbox.append(tx, contract, payload, {
        ...options,
        ...(correlationId === undefined ? {} : { correlationId }),
        ...(traceparent === undefined ? {} : { traceparent }),
      }),
  }
}
