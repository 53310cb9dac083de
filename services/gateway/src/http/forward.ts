import type { ServerResponse } from 'node:http'
import type { ServiceName } from '@kyc/common'
import { UnavailableError } from '@kyc/common'
import { type Dispatcher, Pool } from 'undici'
import type { Upstreams } from '../config.ts'
import { createShares } from '../domain/shares.ts'
import { relayTo } from './relay.ts'

/** One request to an upstream service. Every part of it was parsed, routed or created by the gateway. */
export type Outgoing = {
  service: keyof Upstreams
  method: Dispatcher.HttpMethod
  /** Canonical path and query. */
  path: string
  /** Alternating names and values; undici adds host and, from `body`, content-length. */
  headers: string[]
  body: Buffer | null
  /** The caller whose share of the waiting slots it uses. */
  caller: string
  /** The service responds when something changes, so the request waits in separate slots. */
  longPoll: boolean
  /** The client requested only the headers. */
  head: boolean
}

/** Why a request got no response from its service. */
export type RefusedReason = 'too_many' | 'no_answer'

export type ForwardEvents = {
  /** Called with the service's status before the response is relayed. */
  onAnswer(outgoing: Outgoing, response: ServerResponse, status: number): void
  onFailure(response: ServerResponse, error: UnavailableError, reason: RefusedReason): void
  /** A request starts (1) or stops (-1) waiting for a service. */
  onWaiting(service: keyof Upstreams, change: 1 | -1): void
}

/**
 * Shorter than the drain of a stopping service, so that the service never closes an idle connection during a request.
 */
const idleConnectionMs = 3_000
const connectMs = 5_000
/**
 * Long polls are open pages that are idle most of the time, so many more of them are allowed than of requests that keep
 * a service busy.
 */
const longPollsPerSlot = 16

/**
 * Forwards requests over keep-alive connections, one request at a time on each. At most `maxWaiting` requests wait for
 * a service to start its response, and no single caller takes all of these slots. Further requests are rejected
 * immediately, so that an overloaded service does not make everybody wait. A response that is already streaming
 * occupies no slot.
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
