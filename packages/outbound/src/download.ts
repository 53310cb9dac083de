import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import { startDeadline } from './deadline.ts'
import type { DestinationGuard } from './destination-guard.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import type { Exchange, Transport } from './exchange.ts'

export type DownloadOptions = {
  /** The body fails with `too_large` beyond this many bytes. */
  maxBytes: number
  /** For the whole download, including redirects and the body. */
  timeoutMs: number
  headers?: Record<string, string>
  /** Hosts to which a redirect may lead, over https only. Without it, and to any other host, redirects are rejected. */
  redirectHosts?: readonly string[]
}

export type Download = {
  status_code: number
  headers: IncomingHttpHeaders
  /** The URL of the response, after redirects. */
  url: string
  /** The bytes as sent. The stream fails with `OutboundError` and must be consumed or destroyed. */
  body: Readable
}

const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Streams one GET and checks each hop like the first. Throws `OutboundError` if there is no response. */
export async function download(
  guard: DestinationGuard,
  transport: Transport,
  url: string,
  options: DownloadOptions,
): Promise<Download> {
  const deadline = startDeadline(options.timeoutMs)
  try {
    let target = url
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const destination = await guard(target, deadline.signal)
      const exchange = await transport(destination, {
        method: 'GET',
        headers: options.headers ?? {},
        signal: deadline.signal,
      })
      const location = exchange.response.headers.location
      if (!redirectStatuses.has(exchange.response.statusCode ?? 0) || location === undefined) {
        return toDownload(exchange, destination.url.href, options.maxBytes, deadline)
      }
      exchange.stream.destroy()
      target = redirectTarget(location, destination.url, options.redirectHosts ?? [])
    }
    throw new OutboundError('redirect_refused', { detail: 'too many' })
  } catch (error) {
    deadline.clear()
    throw toOutboundError(error, deadline.expired())
  }
}

function redirectTarget(location: string, from: URL, hosts: readonly string[]): string {
  const next = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  if (next === undefined || next.protocol !== 'https:' || !hosts.includes(next.hostname)) {
    throw new OutboundError('redirect_refused')
  }
  return next.href
}

function toDownload(
  exchange: Exchange,
  url: string,
  maxBytes: number,
  deadline: ReturnType<typeof startDeadline>,
): Download {
  let received = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > maxBytes) done(new OutboundError('too_large'))
      else done(null, chunk)
    },
    destroy(error, done) {
      done(error === null ? null : toOutboundError(error, deadline.expired()))
    },
  })
  pipeline(exchange.stream, body, () => deadline.clear())
  return { status_code: exchange.response.statusCode ?? 0, headers: exchange.response.headers, url, body }
}
