import { badRequest } from '@kyc/common'
import type { Request } from 'express'

/** Reads a JSON body of at most `limit` bytes. An absent body is an empty object. */
export async function readJson(request: Request, limit: number): Promise<{ raw: Buffer; value: unknown }> {
  const raw = await readBytes(request, limit)
  if (raw.length === 0) return { raw, value: {} }
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw badRequest('content-type: must be application/json')
  }
  try {
    return { raw, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw)) as unknown }
  } catch {
    throw badRequest('body: is not valid JSON in UTF-8')
  }
}

async function readBytes(request: Request, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
    throw badRequest('content-encoding: compressed bodies are not accepted')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** 413 is not in the interface's table: too large is `bad_request`. */
const tooLarge = (limit: number) => badRequest(`body: must be at most ${limit} bytes`)
