import { createHash } from 'node:crypto'
import type { Endpoint } from '@kyc/common'
import type { Request, Response } from 'express'
import { sendJson } from './errors.ts'

/**
 * Sends a handler's result as its contract declares; the handler itself has written `html`, `ndjson` and the like. A
 * line stream is ended here, so that its end means that the handler succeeded.
 */
export function sendAnswer(endpoint: Endpoint, request: Request, response: Response, result: unknown): void {
  const { status, body, type = 'json' } = endpoint.success
  if (type === 'ndjson' && !response.writableEnded) response.end()
  if (type !== 'json') return
  if (!body) {
    response.status(status).end()
    return
  }
  // Parsing the result drops fields that are not in the contract, so nothing leaks by accident.
  const answer = body.parse(result)
  if (endpoint.revalidates && isKnown(request, response, answer)) response.status(304).end()
  else sendJson(response, status, answer)
}

/** Sets the ETag of a response, and returns whether the caller already has this content. */
function isKnown(request: Request, response: Response, answer: unknown): boolean {
  const hash = createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 27)
  const etag = `"${hash}"`
  response.setHeader('etag', etag)
  const known = request.headers['if-none-match']
  return known?.split(',').some((item) => item.trim().replace(/^W\//, '') === etag) ?? false
}

/**
 * Announces on every response of a deprecated endpoint since when it is deprecated (RFC 9745) and when it ends (RFC
 * 8594).
 */
export function announceEnd(endpoint: Endpoint, response: Response): void {
  if (!endpoint.deprecated) return
  const { since, sunset, link } = endpoint.deprecated
  response.setHeader('deprecation', `@${Math.floor(Date.parse(since) / 1000)}`)
  response.setHeader('sunset', new Date(sunset).toUTCString())
  if (link) response.setHeader('link', `<${link}>; rel="deprecation"`)
}
