import type { IncomingHttpHeaders } from 'node:http'

/** Hop-by-hop (RFC 9110, section 7.6.1), and what only the gateway may say. */
const dropped = [
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'keep-alive',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-kyc-identity',
  'x-api-key',
  'traceparent',
  'tracestate',
  'baggage',
  'x-request-id',
]

/** Removes, in place, what must not reach a service, including what the client's `connection` header names. */
export function cleanHeaders(headers: IncomingHttpHeaders): void {
  const named = headers.connection
  if (named && named !== 'keep-alive' && named !== 'close') {
    for (const name of named.split(',')) delete headers[name.trim().toLowerCase()]
  }
  delete headers.connection
  for (const name of dropped) delete headers[name]
}
