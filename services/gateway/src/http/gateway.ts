import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { badRequest, notFound, PublicError } from '@kyc/common'
import type { Docs } from '@kyc/docs-site'
import { identityHeader, requestIdHeader } from '@kyc/http'
import { type Logger, type Metrics, startSpan } from '@kyc/runtime'
import type { Upstreams } from '../config.ts'
import type { createClientAddress } from '../domain/client-address.ts'
import { type Framing, readFraming } from '../domain/framing.ts'
import type { HostRule } from '../domain/host-rule.ts'
import { wantsPage } from '../domain/navigation.ts'
import { type RequestTarget, readTarget } from '../domain/request-target.ts'
import type { createRouteTable, Route } from '../domain/route-table.ts'
import { createShares } from '../domain/shares.ts'
import type { KeyCache } from '../store/key-cache.ts'
import type { LinkCache } from '../store/link-cache.ts'
import { sendDocs, sendError, sendJson, sendLimited } from './answers.ts'
import { createCallers } from './callers.ts'
import { createForwards, isUpstream, type Outgoing } from './forward.ts'
import type { ForwardingWatch } from './forwarding-watch.ts'
import { upstreamHeaders } from './headers.ts'
import { createIdentify } from './identify.ts'
import type { createIdentities } from './identities.ts'
import type { createLimitedPage } from './limited-page.ts'
import type { Limits } from './limits.ts'
import { receiveBody } from './receive-body.ts'
import type { securityHeaders } from './security-headers.ts'

export type GatewayParts = {
  upstreams: Upstreams
  upstreamTimeoutMs: number
  /** Maximum number of requests that wait for one service at a time. */
  maxWaiting: number
  routeOf: ReturnType<typeof createRouteTable>
  isServedOn: HostRule
  clientAddress: ReturnType<typeof createClientAddress>
  noteForwarding: ForwardingWatch
  identityOf: ReturnType<typeof createIdentities>
  keys: KeyCache
  links: LinkCache
  limits: Limits
  limitedPage: ReturnType<typeof createLimitedPage>
  logger: Logger
  metrics: Metrics
  /** Sets the security headers of every response. */
  secure: ReturnType<typeof securityHeaders>
  /** The pages at /docs. */
  docs: Docs
  /** The document at /openapi.json. */
  openApi: Record<string, unknown>
}

const mebibyte = 1024 * 1024
/** Bodies up to this size (JSON) have a separate memory budget, so that uploads never exhaust it. */
const smallBodyBytes = 64 * 1024
/** Together with the process's baseline, less than the memory limit of the deployment. */
const memoryLimits = {
  small: { total: 32 * mebibyte, share: 4 * mebibyte },
  /** A share is large enough for the largest body of the API. */
  large: { total: 160 * mebibyte, share: 25 * mebibyte },
}

/** A request that the gateway has parsed and validated: it has one route, one path and one length. */
type Read = { target: RequestTarget; framing: Framing; route: Route; address: string }

/**
 * Processes every request in this order: target, framing, route, size, key or token, limit, body, identity, forward.
 */
export function createGateway(parts: GatewayParts): {
  listener: RequestListener
  close: () => Promise<void>
} {
  const { limits, keys, links, logger } = parts
  const { identify, knownTokenOf } = createIdentify({ keys, links, limits })
  const callers = createCallers({ knownTokenOf })
  const memory = { small: createShares(memoryLimits.small), large: createShares(memoryLimits.large) }
  const durations = parts.metrics.histogram(
    'gateway_request_duration_seconds',
    'Time to answer, by operation',
    ['operation', 'status'],
  )
  const bodyMemory = parts.metrics.gauge(
    'gateway_body_bytes',
    'Memory that holds request bodies, small ones (JSON) and large ones (uploads)',
    ['size'],
    () => {
      bodyMemory.set({ size: 'small' }, memory.small.used)
      bodyMemory.set({ size: 'large' }, memory.large.used)
    },
  )
  const waiting = parts.metrics.gauge(
    'gateway_waiting_requests',
    'Requests whose answer by a service has not begun',
    ['upstream'],
  )
  const refused = parts.metrics.counter(
    'gateway_refused_requests_total',
    'Requests refused because too many waited for a service, it gave no answer, or bodies filled their memory',
    ['reason'],
  )

  const { forward, close } = createForwards(parts.upstreams, {
    timeoutMs: parts.upstreamTimeoutMs,
    maxWaiting: parts.maxWaiting,
    onWaiting: (upstream, change) => waiting.inc({ upstream }, change),
    onAnswer: (_, response, status) => callers.learn(response.req, status),
    onFailure: (response, error, reason) => {
      refused.inc({ reason })
      // Rejections can reach a thousand a second, so they are a metric and not log lines.
      if (reason === 'no_answer') {
        logger.warn('a service gave no answer', {
          request_id: response.getHeader(requestIdHeader),
          error: error.cause,
        })
      }
      sendError(response, error)
    },
  })

  async function handle(request: IncomingMessage, response: ServerResponse, read: Read): Promise<void> {
    const { target, framing, route, address } = read
    const identity = await identify(request, response, route, address)
    const { service } = route
    if (!isUpstream(service)) {
      if (route.operation === 'docs') sendDocs(request, response, target.path, parts.docs)
      else sendJson(response, 200, route.operation === 'getOpenApi' ? parts.openApi : { ok: true })
      return
    }
    const caller = callers.of(request, route, identity, address)
    const { bytes, release } = await receiveBody(request, response, framing, {
      maxBytes: route.max_body_bytes,
      memory: route.max_body_bytes > smallBodyBytes ? memory.large : memory.small,
      caller,
      onFull: () => refused.inc({ reason: 'body_memory' }),
    })
    if (bytes) response.once('close', release)
    if (route.body === 'empty' && bytes && !emptyObject.test(bytes.toString('latin1'))) {
      sendError(response, unwantedBody(), { close: true })
      return
    }
    const requestId = String(response.getHeader(requestIdHeader))
    const own = [requestIdHeader, requestId, 'traceparent', startTrace(request, response, route)]
    if (identity) own.push(identityHeader, await parts.identityOf(identity, service))
    forward(
      {
        service,
        method: route.method as Outgoing['method'],
        path: target.path + target.query,
        headers: upstreamHeaders(request.headers, own),
        body: route.body === 'content' ? bytes : null,
        caller,
        longPoll: route.long_poll,
        head: request.method === 'HEAD',
      },
      response,
    )
  }

  /** Parses and validates a request before anything of it has an effect; throws the error for the client. */
  function read(request: IncomingMessage): Read {
    const target = readTarget(request.url ?? '')
    if ('fault' in target) throw target.unknown ? notFound('path') : badRequest(target.fault)
    const framing = readFraming(request.rawHeaders, request.httpVersion)
    if ('fault' in framing) throw badRequest(framing.fault)
    const route = parts.routeOf(request.method ?? '', target.path)
    if (!route || !parts.isServedOn(request.headers.host, route)) throw notFound('path')
    if (framing.body && route.body === 'none') throw unwantedBody()
    // Checks the declared length before a byte is read; a body without one is counted while it is read.
    if ((framing.length ?? 0) > route.max_body_bytes) {
      if (route.body === 'empty') throw unwantedBody()
      throw badRequest(`body: must be at most ${route.max_body_bytes} bytes`)
    }
    // From here on, everything uses the canonical path, including the limits.
    request.url = target.path + target.query
    const forwardedFor = request.headers['x-forwarded-for']
    const { address, source } = parts.clientAddress(
      request.socket.remoteAddress,
      Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor,
    )
    if (isUpstream(route.service)) parts.noteForwarding(source)
    return { target, framing, route, address: address ?? '' }
  }

  const listener: RequestListener = (request, response) => {
    response.setHeader(requestIdHeader, randomUUID())
    parts.secure(response)
    let operation = 'unknown'
    const began = performance.now()
    response.once('close', () =>
      durations.observe({ operation, status: response.statusCode }, (performance.now() - began) / 1000),
    )
    try {
      const known = read(request)
      operation = known.route.operation
      handle(request, response, known).catch((error: unknown) => {
        if (!(error instanceof PublicError)) logger.error('the gateway failed', { error })
        else if (error.code === 'rate_limited' && operation === 'openFlow' && wantsPage(request.headers))
          return sendLimited(response, error, parts.limitedPage)
        sendError(response, error)
      })
    } catch (error) {
      // After an ambiguous request it is unclear where the next request on the connection starts.
      const close = error instanceof PublicError && error.code === 'bad_request'
      sendError(response, error, { close })
    }
  }
  return { listener, close }
}

const emptyObject = /^\s*(?:\{\s*\}\s*)?$/
const unwantedBody = () => badRequest('body: this endpoint takes none')

/** Starts the span of a request; returns the traceparent for the service. */
function startTrace(request: IncomingMessage, response: ServerResponse, route: Route): string {
  const span = startSpan(route.operation, {
    kind: 'server',
    attributes: {
      'http.request.method': request.method,
      'kyc.request_id': String(response.getHeader(requestIdHeader)),
    },
  })
  response.once('close', () =>
    span.end({
      failed: response.statusCode >= 500,
      attributes: { 'http.response.status_code': response.statusCode },
    }),
  )
  return span.traceparent
}
