import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import {
  badRequest,
  errorStatus,
  forbidden,
  notFound,
  PublicError,
  UnavailableError,
  unauthorized,
} from '@kyc/common'
import type { Docs } from '@kyc/docs-site'
import { type CallerIdentity, identityHeader, requestIdHeader } from '@kyc/http'
import { addressBlock, type Logger, type Metrics, sha256Hex, startSpan } from '@kyc/runtime'
import type { Upstreams } from '../config.ts'
import type { createClientAddress } from '../domain/client-address.ts'
import type { HostRule } from '../domain/host-rule.ts'
import { flowTokenOf, wantsPage } from '../domain/navigation.ts'
import type { createRouteTable, Route } from '../domain/route-table.ts'
import type { KeyCache } from '../store/key-cache.ts'
import type { LinkCache } from '../store/link-cache.ts'
import { createForwards, isUpstream } from './forward.ts'
import type { ForwardingWatch } from './forwarding-watch.ts'
import { cleanHeaders } from './headers.ts'
import type { createIdentities } from './identities.ts'
import type { createLimitedPage } from './limited-page.ts'
import type { Limits } from './limits.ts'
import type { securityHeaders } from './security-headers.ts'

export type GatewayParts = {
  upstreams: Upstreams
  upstreamTimeoutMs: number
  /** Requests that may wait for one service at a time. */
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
  /** Sets the security headers of every answer. */
  secure: ReturnType<typeof securityHeaders>
  /** The pages at /docs. */
  docs: Docs
  /** The document at /openapi.json. */
  openApi: Record<string, unknown>
}

/** Every request passes here, in this order: route, size, key or token, limit, identity, forward. */
export function createGateway(parts: GatewayParts): { listener: RequestListener; close: () => void } {
  const { limits, keys, links, logger } = parts
  const durations = parts.metrics.histogram(
    'gateway_request_duration_seconds',
    'Time to answer, by operation',
    ['operation', 'status'],
  )

  const waiting = parts.metrics.gauge(
    'gateway_waiting_requests',
    'Requests whose answer by a service has not begun',
    ['upstream'],
  )
  const refused = parts.metrics.counter(
    'gateway_refused_requests_total',
    'Requests refused because too many waited for a service, or because it gave no answer',
    ['reason'],
  )

  const { forward, close } = createForwards(parts.upstreams, {
    timeoutMs: parts.upstreamTimeoutMs,
    maxWaiting: parts.maxWaiting,
    onWaiting: (upstream, change) => waiting.inc({ upstream }, change),
    onFailure: (request, response, error) => {
      refused.inc({ reason: error.cause === undefined ? 'too_many' : 'no_answer' })
      // A thousand refusals a second are a rate to look at, not lines to read.
      if (error.cause === undefined) {
        sendError(response, error)
        return
      }
      logger.warn('a service gave no answer', {
        request_id: request.headers[requestIdHeader],
        error: error.cause,
      })
      sendError(response, error)
    },
  })

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    address: string,
  ): Promise<void> {
    refuseLargeBody(request, route)
    const caller = await identify(request, response, route, address)
    if (!isUpstream(route.service)) {
      if (route.operation === 'docs') sendDocs(request, response, parts.docs)
      else sendJson(response, 200, route.operation === 'getOpenApi' ? parts.openApi : { ok: true })
      return
    }
    cleanHeaders(request.headers)
    request.headers[requestIdHeader] = String(response.getHeader(requestIdHeader))
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
    request.headers.traceparent = span.traceparent
    if (caller) request.headers[identityHeader] = await parts.identityOf(caller, route.service)
    forward[route.service](request, response)
  }

  async function identify(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    address: string,
  ): Promise<CallerIdentity | undefined> {
    if (route.caller === 'api_key') return identifyKey(request, response, route, address)
    if (route.service === 'gateway') return undefined
    const caller: CallerIdentity = { type: 'flow', address: address === '' ? null : address }
    if (route.caller === 'flow_token') await countLink(request, response, address)
    return caller
  }

  /** Looks the token up before it counts: a link that exists never shares a limit with guesses from the same address. */
  async function countLink(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<void> {
    const token = flowTokenOf(request.url ?? '')
    const known = token === undefined ? undefined : await links.find(token)
    if (known === undefined) await limits.count(response, 'unknown', addressBlock(address))
    else await limits.count(response, 'flow', known)
  }

  async function identifyKey(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    address: string,
  ): Promise<CallerIdentity> {
    const given = request.headers['x-api-key']
    const key =
      typeof given === 'string' && given.length <= 128 ? await keys.find(sha256Hex(given)) : undefined
    if (!key) {
      if (given !== undefined) await limits.count(response, 'unknown', addressBlock(address))
      throw unauthorized()
    }
    await limits.count(response, 'key', key.id, key.rate_limit_per_minute)
    if (key.scopes && route.scope && !key.scopes.includes(route.scope)) {
      throw forbidden(`This key lacks the scope ${route.scope}.`)
    }
    if (route.costly) await limits.count(response, 'image', key.id, key.rate_limit_per_minute)
    return {
      type: 'api_key',
      app_id: key.app_id,
      environment: key.environment,
      key_id: key.id,
      address: null,
    }
  }

  /** A person reads this in a browser: the flow's page, and JSON only while the flow does not answer. */
  async function sendLimited(response: ServerResponse, error: PublicError): Promise<void> {
    const page = await parts.limitedPage().catch(() => undefined)
    if (!page) return sendError(response, error)
    response.setHeader('retry-after', error.retryAfterSeconds ?? 1)
    response.writeHead(429, { ...page.headers, 'content-length': page.body.length }).end(page.body)
  }

  const listener: RequestListener = (request, response) => {
    response.setHeader(requestIdHeader, randomUUID())
    parts.secure(response)
    const url = request.url ?? '/'
    const query = url.indexOf('?')
    const route = parts.routeOf(request.method ?? '', query === -1 ? url : url.slice(0, query))
    const end = durations.startTimer({ operation: route?.operation ?? 'unknown' })
    response.once('close', () => end({ status: String(response.statusCode) }))
    if (!route || !parts.isServedOn(request.headers.host, route)) {
      sendError(response, notFound('path'))
      return
    }
    const forwardedFor = request.headers['x-forwarded-for']
    const { address, source } = parts.clientAddress(
      request.socket.remoteAddress,
      Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor,
    )
    if (isUpstream(route.service)) parts.noteForwarding(source)
    handle(request, response, route, address ?? '').catch((error: unknown) => {
      if (!(error instanceof PublicError)) logger.error('the gateway failed', { error })
      else if (error.code === 'rate_limited' && route.operation === 'openFlow' && wantsPage(request.headers))
        return sendLimited(response, error)
      sendError(response, error)
    })
  }
  return { listener, close }
}

/** By its announced length, before a byte of it is read; a body without one is counted by the service. */
function refuseLargeBody(request: IncomingMessage, route: Route): void {
  if (Number(request.headers['content-length'] ?? 0) > route.max_body_bytes) {
    throw badRequest(`body: must be at most ${route.max_body_bytes} bytes`)
  }
}

function sendDocs(request: IncomingMessage, response: ServerResponse, docs: Docs): void {
  const read = request.method === 'GET' || request.method === 'HEAD'
  const path = request.url?.split('?', 1)[0] ?? ''
  const page = read ? docs(path, request.headers) : undefined
  if (!page) throw notFound('path')
  response.writeHead(page.status, page.headers).end(request.method === 'HEAD' ? undefined : page.body)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  response.end(text)
}

function sendError(response: ServerResponse, error: unknown): void {
  const known = error instanceof PublicError ? error : undefined
  if (response.headersSent) {
    response.destroy()
    return
  }
  if (known?.retryAfterSeconds !== undefined) response.setHeader('retry-after', known.retryAfterSeconds)
  const code = known?.code ?? 'internal'
  const status = error instanceof UnavailableError ? 503 : errorStatus[code]
  // An unread body would be taken for the next request: this connection ends with the answer.
  if (!response.req.complete) response.setHeader('connection', 'close')
  const message = known?.message ?? 'Something went wrong on our side; it is safe to retry.'
  sendJson(response, status, { error: { code, message } })
}
