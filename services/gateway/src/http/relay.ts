import type { ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Outgoing } from './forward.ts'
import { setClientHeaders } from './headers.ts'

export type RelayEvents = {
  /** How long a client may stop reading, or a service stop writing, before both connections are closed. */
  timeoutMs: number
  /** The response started, or there will be none. */
  endWait(): void
  onAnswer(status: number): void
  /** There is no response, and nothing was sent to the client. */
  onFailure(cause: Error): void
}

/** The connection was closed before the service had read any of the request. */
const staleConnection = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
/** A stale connection fails immediately. A later reset ends a wait, and retrying it would double the deadline. */
const staleWithinMs = 1_000
/**
 * A response body that the client did not request (HEAD) is read to its end if it is short; otherwise the connection is
 * closed.
 */
const readToEndBytes = 64 * 1024

/** Sends a request to its service and relays the response, at the pace of the slower side. */
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
    // The client disconnected, so the service can stop working on the request.
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
      // Informational responses (RFC 9110, section 15.2) concern the gateway alone, which sends its own to the client.
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
        // Closing the connection is the only way left to signal an incomplete response.
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
