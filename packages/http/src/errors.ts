import type { ServerResponse } from 'node:http'
import { type ErrorCode, errorStatus, PublicError, UnavailableError } from '@kyc/common'
import type { Logger } from '@kyc/runtime'
import type { Response } from 'express'

const internalMessage = 'Something went wrong on our side; it is safe to retry.'

/**
 * The one place that turns an error into a response. An error that is not a PublicError reveals nothing to the caller.
 */
export function sendError(response: Response, error: unknown, logger: Logger): void {
  const known = error instanceof PublicError ? error : undefined
  const status = statusOf(error)
  if (status >= 500) logger.error('request failed', { error })
  if (response.headersSent) {
    // The response has already started, so closing the connection is the only way left to report the failure.
    response.destroy()
    return
  }
  if (known?.retryAfterSeconds !== undefined)
    response.setHeader('retry-after', String(known.retryAfterSeconds))
  sendJson(response, status, errorBody(known ?? { code: 'internal', message: internalMessage }))
}

/** The HTTP status of an error's response. */
export const statusOf = (error: unknown): number =>
  error instanceof UnavailableError
    ? 503
    : errorStatus[error instanceof PublicError ? error.code : 'internal']

export const errorBody = ({ code, message }: { code: ErrorCode; message: string }) => ({
  error: { code, message },
})

/**
 * Replaces express's `json`, whose work per response (charset, ETag, freshness) costs more than the response itself.
 */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = Buffer.from(JSON.stringify(body))
  response.statusCode = status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', text.byteLength)
  response.end(text)
}
