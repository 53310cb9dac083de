import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http'
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
 * Listens. Stopping goes on serving for `drainMs`, each answer with `connection: close`, so that clients leave before a
 * connection is cut under a request; then it refuses new connections, lets requests in progress finish and cuts what is
 * still open after `stopWithinMs`. Clients that heed `keep-alive: timeout` (RFC 2068, section 19.7.1.1) give up a
 * connection that was idle for longer than that drain less a second, so none of theirs is left at its end.
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
  const { keepAliveMs, headersMs, requestMs, checkEveryMs } = options.patience ?? patience
  const idleSeconds = Math.floor((options.drainMs ?? 0) / 1000) - 1

  /**
   * Sends the status line, and has the last word on the connection: a proxied answer brings a `connection` header of its
   * own. Each answer has it as a property: express replaces the prototype of the answers it is given.
   */
  function writeHead(this: ServerResponse, statusCode: number, ...rest: unknown[]): ServerResponse {
    if (stopping || !this.shouldKeepAlive) this.setHeader('connection', 'close')
    else if (idleSeconds > 0 && this.getHeader('connection') !== 'close') {
      this.setHeader('connection', 'keep-alive')
      this.setHeader('keep-alive', `timeout=${idleSeconds}`)
    }
    return Reflect.apply(ServerResponse.prototype.writeHead, this, [statusCode, ...rest])
  }
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
    },
    (request, response) => {
      response.writeHead = writeHead
      listener(request, response)
    },
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
