import { randomUUID } from 'node:crypto'
import { isTraceparent, type Logger, startSpan, traceIdOf } from '@kyc/runtime'
import type { Request, Response } from 'express'

export const requestIdHeader = 'x-request-id'

/** What is known about one request, regardless of the caller. */
export type RequestContext = {
  requestId: string
  traceparent: string
  logger: Logger
  request: Request
  response: Response
  /** The unparsed bytes of a JSON body. */
  rawBody: Buffer
}

const requestIdForm = /^[A-Za-z0-9_-]{8,64}$/

/** Adopts the gateway's request id and trace, or creates both. */
export function beginContext(
  request: Request,
  response: Response,
  logger: Logger,
  operation: string,
): RequestContext {
  const givenId = request.headers[requestIdHeader]
  const requestId = typeof givenId === 'string' && requestIdForm.test(givenId) ? givenId : randomUUID()
  const given = request.headers.traceparent
  const span = startSpan(operation, {
    kind: 'server',
    parent: isTraceparent(given) ? given : undefined,
    attributes: { 'http.request.method': request.method, 'kyc.request_id': requestId },
  })
  const { traceparent } = span
  response.once('close', () =>
    span.end({
      failed: response.statusCode >= 500,
      attributes: { 'http.response.status_code': response.statusCode },
    }),
  )
  response.setHeader(requestIdHeader, requestId)
  return {
    requestId,
    traceparent,
    logger: logger.child({ request_id: requestId, trace_id: traceIdOf(traceparent) }),
    request,
    response,
    rawBody: Buffer.alloc(0),
  }
}
