import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody } from './errors.ts'

/** Headers of a response to input that is not a valid request. */
const headersOf = (body: string): Readonly<Record<string, string>> => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': randomUUID(),
  connection: 'close',
})

const bodyOf = (message: string) => JSON.stringify(errorBody({ code: 'bad_request', message }))

/** Responds to a request whose headers could be parsed, and closes its connection. */
export function refuse(response: ServerResponse, message: string): void {
  const body = bodyOf(message)
  response.statusCode = 400
  for (const [name, value] of Object.entries(headersOf(body))) response.setHeader(name, value)
  response.end(body)
}

/** Responds on a connection without a request, and closes it. */
export function refuseOnSocket(socket: Duplex, message: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = bodyOf(message)
  const lines = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 400 ${STATUS_CODES[400]}`, ...lines, '', body].join('\r\n'), () => socket.destroy())
}

const unreadable: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'headers: are too large together with the address',
  ERR_HTTP_REQUEST_TIMEOUT: 'request: did not arrive in time',
}

/**
 * Input that is not HTTP, too large or too slow never reaches the listener, and still gets an error envelope. `open`
 * are the pending requests of the connection, oldest first. The error must not overtake their responses, because the
 * client would take it for the response to one of them.
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  open: readonly ServerResponse<IncomingMessage>[],
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const message = unreadable[error.code ?? ''] ?? 'request: is not valid HTTP'
  const last = open.at(-1)
  if (!last) refuseOnSocket(socket, message)
  else if (last.req.complete) last.once('close', () => refuseOnSocket(socket, message))
  // Its response has started: let the bytes already written arrive.
  else if (last.headersSent) socket.end(() => socket.destroy())
  // The unreadable part is the body of this request.
  else refuse(last, message)
}
