import type { IncomingMessage } from 'node:http'
import got, { type Request } from 'got'
import type { CheckedDestination } from './destination-guard.ts'
import { PinnedAgents } from './pinned-agents.ts'
import { pinnedLookup } from './pinned-lookup.ts'

export type ExchangeRequest = {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Buffer
  signal: AbortSignal
}
export type Exchange = { response: IncomingMessage; stream: Request }

export type Transport = (destination: CheckedDestination, request: ExchangeRequest) => Promise<Exchange>

/**
 * Opens one exchange on a socket to the addresses that were just checked. Uses its own agents, so that proxy variables,
 * which some versions of Node apply to the global agent, never redirect a request.
 */
export function createTransport(options: { certificateAuthority?: string } = {}): Transport {
  const agents = new PinnedAgents()
  const base = got.extend({
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
        agent: agents.of(destination),
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
