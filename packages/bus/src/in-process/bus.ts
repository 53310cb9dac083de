import { setTimeout as delay } from 'node:timers/promises'
import { UnavailableError } from '@kyc/common'
import { type Clock, type Database, type Logger, systemClock } from '@kyc/runtime'
import type { Bus, BusHooks, Drainable, OutgoingMessage, PublishOutcome } from '../bus.ts'
import { Subscriptions } from '../delivery.ts'
import { ask, Responders, requestQueue, responder } from '../requests.ts'
import { defaultRetryTiersMs } from '../retry.ts'
import { LocalRequests } from './local-requests.ts'
import { queueStore } from './queue-store.ts'
import { Removals } from './removals.ts'
import { QueueWorker } from './worker.ts'

export type InProcessBusOptions = {
  /** A schema for the bus only, by convention `bus`. Its tables are created at startup. */
  database: Database
  logger: Logger
  clock?: Clock
  retryTiersMs?: readonly number[]
  hooks?: BusHooks
  /** How long `close` waits for handlers in flight (25 s). Unsettled messages are redelivered at the next start. */
  closeTimeoutMs?: number
}

const promotionMs = 1_000
const crashLimit = 20

/**
 * The transport for all services in one process. Events are stored in Postgres, so that a crash loses nothing, and wake
 * their handlers immediately. Requests are calls that are still serialized as JSON, validated, and limited by a
 * deadline.
 */
export function inProcessBus(options: InProcessBusOptions): Bus {
  const { database, logger, clock = systemClock, retryTiersMs = defaultRetryTiersMs, hooks = {} } = options
  const store = queueStore(database)
  const removals = new Removals((seqs) => store.remove(seqs))
  const subscriptions = new Subscriptions()
  const responders = new Responders()
  const requests = new LocalRequests(responders)
  const workers = new Map<string, QueueWorker>()
  const relays = new Set<Drainable>()
  let state: 'new' | 'started' | 'closing' | 'closed' = 'new'
  let promotion: NodeJS.Timeout | undefined
  let promotionAt = 0

  const assertNew = () => {
    if (state !== 'new') throw new Error('Subscribe and respond before the bus starts')
  }

  const promote = async () => {
    for (const queue of await store.promote(clock.now())) workers.get(queue)?.wake()
  }

  const schedulePromotion = (delayMs: number) => {
    if (state !== 'started' || (promotion && promotionAt <= Date.now() + delayMs)) return
    clearTimeout(promotion)
    promotionAt = Date.now() + delayMs
    promotion = setTimeout(() => {
      promotion = undefined
      promote()
        .catch((error: unknown) => logger.warn('Retries could not be looked for', { error }))
        .finally(() => schedulePromotion(promotionMs))
    }, delayMs)
  }

  const queuesOf = (message: OutgoingMessage): string[] =>
    [...subscriptions.queues.values()].filter(({ event }) => event === message.name).map(({ queue }) => queue)

  return {
    subscribe(contract, subscription) {
      assertNew()
      subscriptions.add(contract, subscription)
    },

    respond(contract, handler, { prefetch } = {}) {
      assertNew()
      responders.add(responder(contract, handler, logger, prefetch))
    },

    async publish(messages) {
      if (state !== 'started') return messages.map(() => 'failed')
      const entries = messages.flatMap((message) => queuesOf(message).map((queue) => ({ queue, message })))
      let outcome: PublishOutcome = 'sent'
      try {
        if (entries.length > 0) await store.enqueue(entries)
      } catch (error) {
        logger.warn('Events could not be queued', { count: messages.length, error })
        outcome = 'failed'
      }
      for (const queue of new Set(entries.map((entry) => entry.queue))) workers.get(queue)?.wake()
      for (const { name } of messages) hooks.onPublished?.({ name, outcome })
      // All subscribers are known in a single process, so an event without one is done.
      return messages.map(() => outcome)
    },

    async request(contract, payload, requestOptions = {}) {
      if (state === 'closed') throw new UnavailableError('The service is stopping.')
      return ask(contract, payload, requestOptions, hooks, (question) =>
        requests.send(requestQueue(contract), question),
      )
    },

    async start() {
      assertNew()
      await store.prepare()
      const recovered = await store.recover(crashLimit, clock.now())
      if (recovered > 0) logger.info('Messages in flight at the last stop are delivered again', { recovered })
      state = 'started'
      const workerOptions = {
        store,
        removals,
        logger,
        clock,
        retryTiersMs,
        hooks,
        onRetry: schedulePromotion,
      }
      for (const consumer of subscriptions.queues.values()) {
        const worker = new QueueWorker(consumer, workerOptions)
        workers.set(consumer.queue, worker)
        worker.wake()
      }
      schedulePromotion(0)
    },

    async close() {
      state = 'closing'
      clearTimeout(promotion)
      const idle = Promise.all([...[...workers.values()].map((worker) => worker.stop()), requests.idle()])
      await Promise.race([idle, delay(options.closeTimeoutMs ?? 25_000, undefined, { ref: false })])
      state = 'closed'
    },

    async drain() {
      const taken = () => [...workers.values()].reduce((sum, worker) => sum + worker.taken, 0)
      for (let quiet = false; !quiet && state === 'started'; ) {
        const before = taken()
        // Handlers in flight now may append to an outbox after the flush below.
        const busy = [...workers.values()].some((worker) => worker.busy)
        let sent = 0
        for (const relay of relays) sent += await relay.flush()
        await promote()
        await Promise.all([...workers.values()].map((worker) => worker.drain()))
        quiet = !busy && sent === 0 && taken() === before
      }
    },

    attach(relay) {
      relays.add(relay)
    },

    depths: () => store.depths(clock.now()),

    deadLetters: {
      list: ({ queue, limit = 100 } = {}) => store.listDead(queue, limit),
      async replay({ queue, ids }) {
        const replayed = await store.replay(queue, ids, clock.now())
        if (state === 'started') await promote()
        return replayed
      },
    },

    health: () => ({ connected: state === 'started', blocked: false }),
  }
}
