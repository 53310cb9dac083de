import { Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import got, { type Request } from 'got'
import type { CheckedDestination } from './destination-guard.ts'
import { pinnedLookup } from './pinned-lookup.ts'

export type ExchangeRequest = {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Buffer
  signal: AbortSignal
}
export type Exchange = { response: IncomingMessage; stream: Request }

export type Transport = (destination: CheckedDestination, request: ExchangeRequest) => Promise<Exchange>

/** Time for one of several addresses to answer before the next is tried as well. */
const nextAddressAfterMs = 2_000

/**
 * Opens one exchange on a socket of its own: kept-alive sockets would turn a receiver's idle close into a
 * failed attempt, and would outlive the address check. The agents are ours, so proxy variables, which some
 * versions of Node apply to the global agent, never redirect anything.
 */
export function createTransport(options: { certificateAuthority?: string } = {}): Transport {
  const connect = {
    keepAlive: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
  }
  const agent = { http: new HttpAgent(connect), https: new HttpsAgent(connect) }

  const base = got.extend({
    agent,
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    https: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      certificateAuthority: options.certificateAuthority,
    },
  })

  return (destination, request) =>
    new Promise<Exchange>((opened, failed) => {
      const stream = base.stream(destination.url, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        dnsLookup: pinnedLookup(destination),
        signal: request.signal,
      })
      stream.once('error', failed)
      stream.once('response', (response: IncomingMessage) => opened({ response, stream }))
    })
}
