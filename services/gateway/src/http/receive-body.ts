import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, UnavailableError } from '@kyc/common'
import type { Framing } from '../domain/framing.ts'
import type { Shares } from '../domain/shares.ts'

/** A body as it was read from the client. `release` gives its memory back to the caller's share. */
export type ReceivedBody = { bytes: Buffer | null; release: () => void }

/** The first allocation; it doubles, so that memory follows what arrived and not what was announced. */
const firstBytes = 16 * 1024

/**
 * Reads a whole body into memory before anything of it is forwarded. A caller that sends slowly, or stops, so occupies
 * its own connection and its own share of `memory`, and no service; and what is forwarded has the length that was read.
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
    // One buffer, never a list of chunks: a list of one-byte chunks takes a hundred times the memory of the body.
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
    // Of the response: the request has no such event where the server itself answers, late bodies for example.
    response.once('close', onClose)
    request.on('error', () => undefined)
  })
}
