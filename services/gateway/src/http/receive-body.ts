import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, UnavailableError } from '@kyc/common'
import type { Framing } from '../domain/framing.ts'
import type { Shares } from '../domain/shares.ts'

/** A body as read from the client. `release` returns its memory to the caller's share. */
export type ReceivedBody = { bytes: Buffer | null; release: () => void }

/**
 * The first allocation. It doubles as needed, so that memory grows with the received bytes and not with the declared
 * length.
 */
const firstBytes = 16 * 1024

/**
 * Reads a whole body into memory before any of it is forwarded. A caller that sends slowly, or stops, therefore
 * occupies only its own connection and its share of `memory`, and no service; and a forwarded body has exactly the
 * length that was read.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  framing: Framing,
  options: { maxBytes: number; memory: Shares; caller: string; onFull: () => void },
): Promise<ReceivedBody> {
  const { memory, caller, maxBytes, onFull } = options
  let held = 0
  const release = () => {
    if (held > 0) memory.release(caller, held)
    held = 0
  }
  if (!framing.body) return Promise.resolve({ bytes: null, release })
  const announced = framing.length ?? maxBytes

  return new Promise<ReceivedBody>((resolve, reject) => {
    // One buffer instead of a list of chunks, because a list of one-byte chunks takes a hundred times the memory of the
    // body.
    let buffer: Buffer = Buffer.alloc(0)
    let size = 0
    const fail = (error: Error) => {
      request.off('data', onData)
      request.off('end', onEnd)
      response.off('close', onClose)
      release()
      buffer = Buffer.alloc(0)
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      const needed = size + chunk.length
      if (needed > maxBytes) return fail(badRequest(`body: must be at most ${maxBytes} bytes`))
      if (needed > buffer.length) {
        const capacity = Math.min(announced, Math.max(needed, firstBytes, buffer.length * 2))
        if (!memory.take(caller, capacity - held)) {
          onFull()
          return fail(new UnavailableError('Too many uploads at the moment; it is safe to retry.', 1))
        }
        held = capacity
        const grown = Buffer.allocUnsafeSlow(capacity)
        buffer.copy(grown, 0, 0, size)
        buffer = grown
      }
      chunk.copy(buffer, size)
      size = needed
    }
    const onEnd = () => {
      response.off('close', onClose)
      resolve({ bytes: buffer.subarray(0, size), release })
    }
    const onClose = () => fail(badRequest('body: ended before its announced length'))
    request.on('data', onData)
    request.once('end', onEnd)
    // Listens on the response, because the request has no close event if the server itself responds, for example to a
    // late body.
    response.once('close', onClose)
    request.on('error', () => undefined)
  })
}
