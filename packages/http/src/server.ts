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

/** What is known of one connection: its unanswered requests, oldest first, and whether it takes no more. */
type Connection = { open: ServerResponse<IncomingMessage>[]; closing: boolean; failed: boolean }

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

  const connections = new WeakMap<Duplex, Connection>()
  const connectionOf = (socket: Duplex): Connection => {
    const known = connections.get(socket) ?? { open: [], closing: false, failed: false }
    connections.set(socket, known)
    return known
  }

  /**
   * Sends the status line, and decides on the connection last: a proxied answer brings a `connection` header of its own.
   * Each answer has it as a property, because express replaces the prototype of the answers it is given.
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
    // Nothing that follows an answer with "connection: close" is processed (RFC 9112, section 9.6).
    if (connection.closing) return
    connection.open.push(response)
    response.once('close', () => connection.open.splice(connection.open.indexOf(response), 1))
    response.writeHead = writeHead
    if (request.headers.upgrade !== undefined) {
      // Nobody upgrades, and Node drops bytes that follow such a request: what comes after them is not a request's begin.
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
      // Checked above, so that the refusal has the error envelope.
      requireHostHeader: false,
    },
    (request, response) => serve(request, response),
  )
  server.maxRequestsPerSocket = 0
  // Beyond the default of 2,000 headers Node hides further ones, of framing too; their size is bounded all the same.
  server.maxHeadersCount = 0
  server.on('checkContinue', (request, response) => {
    // Only who reads the body asks for it: a refused upload is never sent.
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
    // The parser reports the same fault again with every further byte.
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
