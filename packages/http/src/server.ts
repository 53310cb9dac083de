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
import { refuse, refuseOnSocket, refuseUnreadable } from './refuse.ts'

export type RunningServer = { port: number; url: string; server: Server; stop(): Promise<void> }

/** The time limits for clients. A slower client gets 400, and its socket is closed. */
const patience = {
  /** Longer than any proxy in front keeps an idle connection, so that the proxy closes first. */
  keepAliveMs: 75_000,
  /** From the start of the connection, or the previous request, to the last header. */
  headersMs: 15_000,
  /** To the last byte of the body: 10 MB at 1.4 Mbit/s. */
  requestMs: 60_000,
  /** How often sockets are checked against these limits. */
  checkEveryMs: 2_000,
}

/** The state of one connection: its pending requests, oldest first, and whether it accepts more. */
type Connection = { open: ServerResponse<IncomingMessage>[]; closing: boolean; failed: boolean }

/**
 * Starts listening. Stopping continues to serve for `drainMs`, each response with `connection: close`, so that clients
 * disconnect before their connection is closed during a request; then it refuses new connections, lets requests in
 * progress finish, and closes what is still open after `stopWithinMs`. Clients that respect `keep-alive: timeout` (RFC
 * 2068, section 19.7.1.1) close a connection after it was idle for the drain less a second, so none of their
 * connections is left at its end.
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

  const connections = new WeakMap<Duplex, Connection>()
  const connectionOf = (socket: Duplex): Connection => {
    const known = connections.get(socket) ?? { open: [], closing: false, failed: false }
    connections.set(socket, known)
    return known
  }

  /**
   * Writes the status line and sets `connection` last, because a proxied response brings its own `connection` header.
   * Installed as a property of each response, because express replaces the prototype of its responses.
   */
  function writeHead(this: ServerResponse, statusCode: number, ...rest: unknown[]): ServerResponse {
    if (stopping || !this.shouldKeepAlive) this.setHeader('connection', 'close')
    else if (idleSeconds > 0 && this.getHeader('connection') !== 'close') {
      this.setHeader('connection', 'keep-alive')
      this.setHeader('keep-alive', `timeout=${idleSeconds}`)
    }
    if (this.getHeader('connection') === 'close') connectionOf(this.req.socket).closing = true
    return Reflect.apply(ServerResponse.prototype.writeHead, this, [statusCode, ...rest])
  }

  const serve = (request: IncomingMessage, response: ServerResponse<IncomingMessage>, fault?: string) => {
    const connection = connectionOf(request.socket)
    // Nothing after a response with "connection: close" is processed (RFC 9112, section 9.6).
    if (connection.closing) return
    connection.open.push(response)
    response.once('close', () => connection.open.splice(connection.open.indexOf(response), 1))
    response.writeHead = writeHead
    if (request.headers.upgrade !== undefined) {
      // Upgrades are not supported, and Node drops the bytes after such a request, so what follows may not be the start
      // of a request.
      response.shouldKeepAlive = false
      connection.closing = true
    }
    if (fault !== undefined) refuse(response, fault)
    else if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse(response, 'host: is required')
    } else listener(request, response)
  }

  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      // Checked above, so that the error has the envelope.
      requireHostHeader: false,
    },
    (request, response) => serve(request, response),
  )
  server.maxRequestsPerSocket = 0
  // Beyond 2,000 headers (the default limit) Node hides the rest, including framing headers. Their total size is still
  // limited.
  server.maxHeadersCount = 0
  server.on('checkContinue', (request, response) => {
    // Send 100-continue only when the body is read, so that a rejected upload is never sent.
    request.once('resume', () => {
      if (!response.headersSent && !response.destroyed) response.writeContinue()
    })
    serve(request, response)
  })
  server.on('checkExpectation', (request, response) =>
    serve(request, response, 'expect: must be 100-continue'),
  )
  server.on('connect', (_request, socket) => refuseOnSocket(socket, 'method: CONNECT is not supported'))
  server.on('clientError', (error, socket) => {
    const connection = connectionOf(socket)
    // The parser reports the same error again for every further byte.
    if (connection.failed) return
    connection.failed = true
    connection.closing = true
    refuseUnreadable(error, socket, connection.open)
  })

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
