import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/**
 * The client's headers that services use. The upstream headers are built from these and the gateway's own, so that a
 * header that the client invented, or named in `connection`, can never add, remove or replace the gateway's identity,
 * request id, trace or framing. If a service needs another header, list it here.
 */
const forwarded = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'x-csrf-token',
] as const

/** Alternating names and values for the upstream request. `own` are the gateway's headers. */
export function upstreamHeaders(headers: IncomingHttpHeaders, own: readonly string[]): string[] {
  const named = namedByConnection(headers.connection)
  const list = [...own]
  for (const name of forwarded) {
    const value = headers[name]
    if (value !== undefined && !named?.has(name)) list.push(name, value as string)
  }
  return list
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1) describe the service's connection, not the client's. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Copies the headers of a service's response to the client's response; they replace those that the gateway set. */
export function setClientHeaders(response: ServerResponse, headers: IncomingHttpHeaders): void {
  const named = namedByConnection(headers.connection)
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value !== undefined && !hopByHop.has(name) && !named?.has(name)) response.setHeader(name, value)
  }
}

/** The headers that a `connection` header declares hop-by-hop; undefined for the usual values. */
function namedByConnection(connection: string | string[] | undefined): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined
  return new Set(
    String(connection)
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  )
}
