import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@kyc/runtime'

export type RunningServer = { port: number; url: string; server: Server; stop(): Promise<void> }

/** How long a client may take; one that is slower gets 400 and its socket is freed. */
const patience = {
  /** Longer than any proxy in front keeps an idle connection, so that the proxy closes first. */
  keepAliveMs: 75_000,
  /** From the connection, or the request before, to the last header. */
  headersMs: 15_000,
  /** To the last byte of the body: 10 MB at 1.4 Mbit/s. */
  requestMs: 60_000,
  /** How often sockets are held against these. */
  checkEveryMs: 2_000,
}

/**
 * Listens. Stopping goes on serving for `drainMs`, each answer with `connection: close`, so that clients with idle
 * connections leave before one is cut under a request; then it refuses new connections, lets requests in progress
 * finish and cuts what is still open after `stopWithinMs`.
 */
export function startServer(
  listener: RequestListener,
  options: {
    port: number
    host: string
    logger: Logger
    stopWithinMs?: number
    drainMs?: number
    patience?: typeof patience
  },
): Promise<RunningServer> {
  let stopping = false
  /** Says `connection: close` as the last word: a proxied answer brings a `connection` header of its own. */
  class OrderlyResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    override writeHead(statusCode: number, ...rest: unknown[]): this {
      if (stopping) this.setHeader('connection', 'close')
      return (super.writeHead as (status: number, ...rest: unknown[]) => this).call(this, statusCode, ...rest)
    }
  }
  const { keepAliveMs, headersMs, requestMs, checkEveryMs } = options.patience ?? patience
  const server = createServer(
    {
      ServerResponse: OrderlyResponse,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
    },
    listener,
  )
  server.maxRequestsPerSocket = 0
  server.on('clientError', refuseUnreadable)

  const stop = async () => {
    stopping = true
    if (options.drainMs) await delay(options.drainMs)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), options.stopWithinMs ?? 25_000)
      server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      server.closeIdleConnections()
    })
  }

  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      const { port } = server.address() as AddressInfo
      options.logger.info('listening', { port })
      resolve({ port, url: `http://127.0.0.1:${port}`, server, stop })
    })
  })
}

/** What is no HTTP request, or a too large or too slow one, never reaches the listener: it gets the envelope all the same. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const message = unreadable[error.code ?? ''] ?? 'request: is not valid HTTP'
  const body = JSON.stringify({ error: { code: 'bad_request', message } })
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}

const unreadable: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'headers: are too large together with the address',
  ERR_HTTP_REQUEST_TIMEOUT: 'request: did not arrive in time',
}
