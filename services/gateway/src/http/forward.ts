import { Agent, type IncomingMessage, ServerResponse } from 'node:http'
import type { ServiceName } from '@kyc/common'
import { UnavailableError } from '@kyc/common'
import { createProxyMiddleware } from 'http-proxy-middleware'
import type { Upstreams } from '../config.ts'

type Forward = (request: IncomingMessage, response: ServerResponse) => void

/** Told when the upstream gave no answer. */
type OnFailure = (request: IncomingMessage, response: ServerResponse, error: UnavailableError) => void

/** The connection was closed under a request that had sent nothing but its headers. */
const staleConnection = new Set(['ECONNRESET', 'EPIPE'])
/** It is so at once: a reset that comes later is the end of waiting, and waiting twice would double the deadline. */
const staleWithinMs = 1_000

/** Shorter than a stopping service goes on serving, so that it never cuts an idle connection under a request. */
const idleConnectionMs = 3_000

/** Told that a request waits for a service (1), or no longer (-1). */
type OnWaiting = (service: keyof Upstreams, change: 1 | -1) => void

/**
 * One proxy per service, over kept-alive connections. At most `maxWaiting` requests wait for one service's answer to begin; those
 * beyond are refused at once: what a service cannot take anyway must not make everybody wait. Answers that stream wait for nothing.
 */
export function createForwards(
  upstreams: Upstreams,
  options: {
    timeoutMs: number
    maxWaiting: number
    onFailure: OnFailure
    onWaiting: OnWaiting
  },
): { forward: Record<keyof Upstreams, Forward>; close: () => void } {
  const agent = new Agent({
    keepAlive: true,
    maxFreeSockets: 64,
    scheduling: 'lifo',
    timeout: idleConnectionMs,
  })
  const retried = new WeakSet<IncomingMessage>()
  const sentAt = new WeakMap<IncomingMessage, number>()
  /** What ends the wait of a request that was let through. */
  const waits = new WeakMap<IncomingMessage, () => void>()

  const forwardTo = (service: keyof Upstreams): Forward => {
    const middleware = createProxyMiddleware<IncomingMessage, ServerResponse>({
      target: upstreams[service],
      agent,
      xfwd: false,
      proxyTimeout: options.timeoutMs,
      timeout: options.timeoutMs + 5_000,
      on: {
        proxyRes: (answer, request) => {
          waits.get(request)?.()
          // What a service says of its connection to us is nothing to the client.
          delete answer.headers.connection
          delete answer.headers['keep-alive']
        },
        error: (cause, request, response) => {
          if (!(response instanceof ServerResponse)) {
            response.destroy()
            return
          }
          const code = (cause as NodeJS.ErrnoException).code ?? ''
          // An idle connection that the service closed at this moment: a request without a body goes once more.
          if (
            request.method === 'GET' &&
            staleConnection.has(code) &&
            !response.headersSent &&
            !retried.has(request) &&
            performance.now() - (sentAt.get(request) ?? 0) < staleWithinMs
          ) {
            retried.add(request)
            send(request, response)
            return
          }
          options.onFailure(
            request,
            response,
            new UnavailableError(
              'The service is not available at the moment; it is safe to retry.',
              1,
              cause,
            ),
          )
        },
      },
    })
    const send: Forward = (request, response) => {
      sentAt.set(request, performance.now())
      void middleware(request, response, () => {})
    }
    let waiting = 0
    return (request, response) => {
      if (waiting >= options.maxWaiting) {
        options.onFailure(
          request,
          response,
          new UnavailableError('Too many requests are waiting; it is safe to retry.', 1),
        )
        return
      }
      waiting++
      options.onWaiting(service, 1)
      const end = () => {
        if (!waits.delete(request)) return
        waiting--
        options.onWaiting(service, -1)
      }
      waits.set(request, end)
      response.once('close', end)
      send(request, response)
    }
  }

  return {
    forward: Object.fromEntries(
      (Object.keys(upstreams) as (keyof Upstreams)[]).map((service) => [service, forwardTo(service)]),
    ) as Record<keyof Upstreams, Forward>,
    close: () => agent.destroy(),
  }
}

export const isUpstream = (service: ServiceName): service is keyof Upstreams => service !== 'gateway'
