import { badRequest } from '@kyc/common'
import type { Request } from 'express'
import { isNestedDeeperThan, maxJsonDepth } from './json-depth.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body of at most `limit` bytes and {@link maxJsonDepth} levels. An absent body becomes an empty object.
 */
export async function readJson(request: Request, limit: number): Promise<{ raw: Buffer; value: unknown }> {
  const raw = await readBytes(request, limit)
  if (raw.length === 0) return { raw, value: {} }
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw badRequest('content-type: must be application/json')
  }
  if (isNestedDeeperThan(maxJsonDepth, raw)) {
    throw badRequest(`body: must be nested at most ${maxJsonDepth} levels deep`)
  }
  try {
    return { raw, value: JSON.parse(utf8.decode(raw)) as unknown }
  } catch {
    throw badRequest('body: is not valid JSON in UTF-8')
  }
}

async function readBytes(request: Request, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
    throw badRequest('content-encoding: compressed bodies are not accepted')
  }
  // Events instead of `for await`, because the iterator costs as much as the rest of a small request.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        // Read and discard the rest, because an unread body would block the next request on a keep-alive connection.
        chunks.length = 0
        reject(tooLarge(limit))
      }
    })
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.once('error', reject)
    request.once('close', () => reject(badRequest('body: ended before its end')))
  })
}

/** The API has no 413: a body that is too large is `bad_request`. */
const tooLarge = (limit: number) => badRequest(`body: must be at most ${limit} bytes`)
