import { startDeadline } from './deadline.ts'
import type { DestinationGuard } from './destination-guard.ts'
import { type OutboundErrorCode, toOutboundError } from './errors.ts'
import type { Exchange, Transport } from './exchange.ts'

export type SendRequest = {
  url: string
  headers: Record<string, string>
  body: Buffer
  /** For the whole attempt: name lookup, connection, TLS, request, and the response up to `maxBodyBytes`. */
  timeoutMs: number
  /** The response is read up to this size; then the socket is closed and the response counts as received. */
  maxBodyBytes: number
}

export type SendOutcome = {
  /** Null when no status line arrived. */
  status_code: number | null
  /** At most `maxBodyBytes` bytes, as received: no decompression, no decoding. */
  body_excerpt: Buffer
  duration_ms: number
  /** Present when the response was not complete. A status of 4xx or 5xx alone is not an error. */
  error?: { code: OutboundErrorCode; message: string }
}

/** Sends one POST without following redirects or retrying. Never throws because of the network or the receiver. */
export async function send(
  guard: DestinationGuard,
  transport: Transport,
  request: SendRequest,
): Promise<SendOutcome> {
  const started = performance.now()
  const deadline = startDeadline(request.timeoutMs)
  const excerpt: Buffer[] = []
  let statusCode: number | null = null
  let exchange: Exchange | undefined
  const outcome = (error?: SendOutcome['error']): SendOutcome => ({
    status_code: statusCode,
    body_excerpt: Buffer.concat(excerpt),
    duration_ms: Math.round(performance.now() - started),
    ...(error === undefined ? {} : { error }),
  })
  try {
    const destination = await guard(request.url, deadline.signal)
    exchange = await transport(destination, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: deadline.signal,
    })
    statusCode = exchange.response.statusCode ?? null
    let missing = request.maxBodyBytes
    for await (const chunk of exchange.stream as AsyncIterable<Buffer>) {
      excerpt.push(Buffer.from(chunk.subarray(0, missing)))
      missing -= Math.min(missing, chunk.length)
      if (missing === 0) break
    }
    return outcome()
  } catch (error) {
    const { code, message } = toOutboundError(error, deadline.expired())
    return outcome({ code, message })
  } finally {
    deadline.clear()
    exchange?.stream.destroy()
  }
}
