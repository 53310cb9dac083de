import { randomUUID } from 'node:crypto'
import { childTraceparent, isTraceparent, type Logger, newTraceparent, traceIdOf } from '@kyc/runtime'
import type { Request, Response } from 'express'

export const requestIdHeader = 'x-request-id'

/** What is known of one request, whoever makes it. */
export type RequestContext = {
  requestId: string
  traceparent: string
  logger: Logger
  request: Request
  response: Response
  /** The bytes of a JSON body, as they came. */
  rawBody: Buffer
}

const requestIdForm = /^[A-Za-z0-9_-]{8,64}$/

/** Takes over the gateway's request id and trace, or begins both. */
export function beginContext(request: Request, response: Response, logger: Logger): RequestContext {
  const givenId = request.headers[requestIdHeader]
  const requestId = typeof givenId === 'string' && requestIdForm.test(givenId) ? givenId : randomUUID()
  const given = request.headers.traceparent
  const traceparent = isTraceparent(given) ? childTraceparent(given) : newTraceparent()
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
