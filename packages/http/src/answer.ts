import { createHash } from 'node:crypto'
import type { Endpoint } from '@kyc/common'
import type { Request, Response } from 'express'
import { sendJson } from './errors.ts'

/**
 * Writes a handler's result as its contract says; `html`, `ndjson` and the like were written by the handler. Lines end
 * here, so that their end says that all is done.
 */
export function sendAnswer(endpoint: Endpoint, request: Request, response: Response, result: unknown): void {
  const { status, body, type = 'json' } = endpoint.success
  if (type === 'ndjson' && !response.writableEnded) response.end()
  if (type !== 'json') return
  if (!body) {
    response.status(status).end()
    return
  }
  // Parsing the answer drops what the contract does not name: nothing leaves by accident.
  const answer = body.parse(result)
  if (endpoint.revalidates && isKnown(request, response, answer)) response.status(304).end()
  else sendJson(response, status, answer)
}

/** Names the answer by its content, and says whether the caller has just that. */
function isKnown(request: Request, response: Response, answer: unknown): boolean {
  const hash = createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 27)
  const etag = `"${hash}"`
  response.setHeader('etag', etag)
  const known = request.headers['if-none-match']
  return known?.split(',').some((item) => item.trim().replace(/^W\//, '') === etag) ?? false
}

/** What is to end says so on every answer: since when it is deprecated (RFC 9745) and when it ends (RFC 8594). */
export function announceEnd(endpoint: Endpoint, response: Response): void {
  if (!endpoint.deprecated) return
  const { since, sunset, link } = endpoint.deprecated
  response.setHeader('deprecation', `@${Math.floor(Date.parse(since) / 1000)}`)
  response.setHeader('sunset', new Date(sunset).toUTCString())
  if (link) response.setHeader('link', `<${link}>; rel="deprecation"`)
}
