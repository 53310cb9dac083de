import type { ServerResponse } from 'node:http'
import type { ServiceName } from '@kyc/common'
import { UnavailableError } from '@kyc/common'
import { type Dispatcher, Pool } from 'undici'
import type { Upstreams } from '../config.ts'
import { createShares } from '../domain/shares.ts'
import { relayTo } from './relay.ts'

/** One request as it goes upstream: everything in it was read, routed or made by the gateway. */
export type Outgoing = {
  service: keyof Upstreams
  method: Dispatcher.HttpMethod
  /** Canonical path and query. */
  path: string
  /** Names and values in turn; undici adds host and, from `body`, content-length. */
  headers: string[]
  body: Buffer | null
  /** Whose share of the waiting slots it takes. */
  caller: string
  /** The service answers when something changes: it waits in slots of its own. */
  longPoll: boolean
  /** The client asked for the headers only. */
  head: boolean
}

/** Why a request was not answered by its service. */
export type RefusedReason = 'too_many' | 'no_answer'

export type ForwardEvents = {
  /** The service's status, before the answer goes on. */
  onAnswer(outgoing: Outgoing, response: ServerResponse, status: number): void
  onFailure(response: ServerResponse, error: UnavailableError, reason: RefusedReason): void
  /** A request waits for a service (1), or no longer (-1). */
  onWaiting(service: keyof Upstreams, change: 1 | -1): void
}

/** Shorter than a stopping service goes on serving, so that it never closes an idle connection under a request. */
const idleConnectionMs = 3_000
const connectMs = 5_000
/** Long polls are open pages, each idle most of the time: many more of them than of requests that keep a service busy. */
const longPollsPerSlot = 16

/**
 * Forwards over kept-alive connections, one request at a time on each. At most `maxWaiting` requests wait for the answer
 * of one service to begin, and no caller takes all of these slots; those beyond are refused at once, because what a
 * service cannot take must not make everybody wait. An answer that streams waits for nothing.
 */
export function createForwards(
  upstreams: Upstreams,
  options: ForwardEvents & { timeoutMs: number; maxWaiting: number },
): { forward: (outgoing: Outgoing, response: ServerResponse) => void; close: () => Promise<void> } {
  const { maxWaiting, timeoutMs } = options
  const poolOf = (origin: string) => ({
    pool: new Pool(origin, {
      pipelining: 1,
      connectTimeout: Math.min(connectMs, timeoutMs),
      keepAliveTimeout: idleConnectionMs,
      keepAliveMaxTimeout: idleConnectionMs,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    }),
    slots: createShares({ total: maxWaiting, share: Math.max(1, Math.floor(maxWaiting / 8)) }),
    longPolls: createShares({ total: maxWaiting * longPollsPerSlot, share: maxWaiting }),
  })
  const services = Object.fromEntries(
    Object.entries(upstreams).map(([service, origin]) => [service, poolOf(origin)]),
  ) as Record<keyof Upstreams, ReturnType<typeof poolOf>>

  return {
    forward: (outgoing, response) => {
      const { service, caller } = outgoing
      const { pool, slots, longPolls } = services[service]
      const waiting = outgoing.longPoll ? longPolls : slots
      if (!waiting.take(caller)) {
        const refusal = new UnavailableError('Too many requests are waiting; it is safe to retry.', 1)
        options.onFailure(response, refusal, 'too_many')
        return
      }
      options.onWaiting(service, 1)
      let waits = true
      const endWait = () => {
        if (!waits) return
        waits = false
        waiting.release(caller)
        options.onWaiting(service, -1)
      }
      relayTo(pool, outgoing, response, {
        timeoutMs,
        endWait,
        onAnswer: (status) => options.onAnswer(outgoing, response, status),
        onFailure: (cause) => {
          const message = 'The service is not available at the moment; it is safe to retry.'
          options.onFailure(response, new UnavailableError(message, 1, cause), 'no_answer')
        },
      })
    },
    close: async () => {
      await Promise.all(Object.values(services).map(({ pool }) => pool.destroy()))
    },
  }
}

export const isUpstream = (service: ServiceName): service is keyof Upstreams => service !== 'gateway'
