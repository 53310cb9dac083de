import type { ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Outgoing } from './forward.ts'
import { setClientHeaders } from './headers.ts'

export type RelayEvents = {
  /** Silence of a client that reads, or of a service that writes, for longer than this ends both connections. */
  timeoutMs: number
  /** The answer began, or there will be none. */
  endWait(): void
  onAnswer(status: number): void
  /** No answer, and nothing of one was sent to the client. */
  onFailure(cause: Error): void
}

/** The connection was closed under a request of which the service had read nothing. */
const staleConnection = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
/** A stale connection fails at once: a reset that comes later ends a wait, and waiting twice would double the deadline. */
const staleWithinMs = 1_000
/** A body that the client did not ask for (HEAD) is read to its end if it is short; a long one costs the connection. */
const readToEndBytes = 64 * 1024

/** Sends a request to its service and the answer to the client, with the pace of the slower of the two. */
export function relayTo(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  response: ServerResponse,
  events: RelayEvents,
): void {
  const sentAt = performance.now()
  let controller: Dispatcher.DispatchController | undefined
  let done = false
  let retried = false
  let stalled: NodeJS.Timeout | undefined

  const finish = () => {
    done = true
    clearTimeout(stalled)
    events.endWait()
  }
  const onClose = () => {
    if (done) return
    finish()
    // The client left: the service may stop working for it.
    controller?.abort(new Error('the client closed its connection'))
  }
  const onDrain = () => {
    clearTimeout(stalled)
    controller?.resume()
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      if (done) started.abort(new Error('the client closed its connection'))
    },
    onResponseStart(_, status, headers) {
      // Informational answers (RFC 9110, section 15.2) concern the gateway alone: it sends its own to the client.
      if (status < 200) return
      events.endWait()
      events.onAnswer(status)
      setClientHeaders(response, headers)
      response.writeHead(status)
      if (outgoing.head) {
        response.end()
        if (!(Number(headers['content-length']) <= readToEndBytes)) endEarly()
      } else if (headers['content-length'] === undefined) {
        // A stream (events, lines) may send its first byte much later.
        response.flushHeaders()
      }
    },
    onResponseData(current, chunk) {
      if (outgoing.head || response.write(chunk)) return
      current.pause()
      stalled = setTimeout(() => response.destroy(), events.timeoutMs)
    },
    onResponseEnd() {
      if (done) return
      finish()
      if (!outgoing.head) response.end()
    },
    onResponseError(_, error) {
      if (done) return
      if (response.headersSent) {
        finish()
        // Cutting the connection is the only way left to say that the answer is not whole.
        response.destroy()
        return
      }
      if (isStale(error) && !retried) {
        retried = true
        send()
        return
      }
      finish()
      events.onFailure(error)
    },
  }
  const isStale = (error: Error) =>
    outgoing.method === 'GET' &&
    staleConnection.has((error as NodeJS.ErrnoException).code ?? '') &&
    performance.now() - sentAt < staleWithinMs
  const endEarly = () => {
    finish()
    controller?.abort(new Error('the client asked for the headers only'))
  }
  const send = () => {
    const { method, path, headers, body } = outgoing
    dispatcher.dispatch({ method, path, headers, body }, handler)
  }
  // Its 'close' was emitted already: nothing would end a stream of the service.
  if (response.destroyed) {
    finish()
    return
  }
  response.once('close', onClose)
  response.on('drain', onDrain)
  send()
}
