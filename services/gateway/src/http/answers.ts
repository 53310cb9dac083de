import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorStatus, notFound, PublicError, UnavailableError } from '@kyc/common'
import type { Docs } from '@kyc/docs-site'
import type { createLimitedPage } from './limited-page.ts'

/** How long the connection stays open for a client that is still sending a rejected body. */
const lingerMs = 1_000

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = writeJsonHead(response, status, body)
  response.end(text)
}

function writeJsonHead(response: ServerResponse, status: number, body: unknown): string {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  return text
}

/** Sends the error envelope. An unread body ends the connection, so that it cannot be parsed as the next request. */
export function sendError(response: ServerResponse, error: unknown, options: { close?: boolean } = {}): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const known = error instanceof PublicError ? error : undefined
  if (known?.retryAfterSeconds !== undefined) response.setHeader('retry-after', known.retryAfterSeconds)
  const code = known?.code ?? 'internal'
  const status = error instanceof UnavailableError ? 503 : errorStatus[code]
  const message = known?.message ?? 'Something went wrong on our side; it is safe to retry.'
  const body = { error: { code, message } }
  const { req: request } = response
  const unread = hasBody(request) && !request.complete
  if (unread || options.close) response.setHeader('connection', 'close')
  if (!unread) {
    sendJson(response, status, body)
    return
  }
  const text = writeJsonHead(response, status, body)
  // A response to HEAD has no body whose first byte would send the headers.
  response.flushHeaders()
  response.write(text)
  endAfterBody(request, response)
}

/** Based on the headers only, because `request.complete` is false while the listener runs, even without a body. */
const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || (request.headers['content-length'] ?? '0') !== '0'

/**
 * Reads and discards what still arrives before it closes the connection. Closing with unread bytes makes the kernel
 * send a reset, and the client would lose the response (RFC 9112, section 9.6).
 */
function endAfterBody(request: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.once('close', end)
  request.on('error', () => undefined)
  request.resume()
}

export function sendDocs(request: IncomingMessage, response: ServerResponse, path: string, docs: Docs): void {
  const page = docs(path, request.headers)
  if (!page) throw notFound('path')
  response.writeHead(page.status, page.headers).end(request.method === 'HEAD' ? undefined : page.body)
}

/** Sends 429 to a person who navigates: the flow's page, or JSON only while the flow does not respond. */
export async function sendLimited(
  response: ServerResponse,
  error: PublicError,
  limitedPage: ReturnType<typeof createLimitedPage>,
): Promise<void> {
  const page = await limitedPage().catch(() => undefined)
  if (!page) return sendError(response, error)
  response.setHeader('retry-after', error.retryAfterSeconds ?? 1)
  response.writeHead(429, { ...page.headers, 'content-length': page.body.length })
  response.end(response.req.method === 'HEAD' ? undefined : page.body)
}
