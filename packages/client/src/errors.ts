import type { ErrorCode } from './generated/types.ts'

/** The base class of all errors that this client throws. */
export class KycError extends Error {
  override readonly name: string = 'KycError'
}

/** The service responded with an error. Branch on `code`; the message is for people. */
export class ApiError extends KycError {
  override readonly name: string = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  /** Identifies the request in the service's logs. */
  readonly requestId: string | null
  /** Seconds after which a retry may succeed. */
  readonly retryAfterSeconds: number | null

  constructor(
    message: string,
    answer: { code: ErrorCode; status: number; requestId: string | null; retryAfterSeconds: number | null },
  ) {
    super(message)
    this.code = answer.code
    this.status = answer.status
    this.requestId = answer.requestId
    this.retryAfterSeconds = answer.retryAfterSeconds
  }
}

export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError'
  declare readonly code: 'bad_request'
}
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError'
  declare readonly code: 'unauthorized'
}
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
  declare readonly code: 'forbidden'
}
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
  declare readonly code: 'not_found'
}
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
  declare readonly code: 'conflict'
}
export class UnprocessableError extends ApiError {
  override readonly name = 'UnprocessableError'
  declare readonly code: 'unprocessable'
}
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError'
  declare readonly code: 'rate_limited'
}
export class InternalError extends ApiError {
  override readonly name = 'InternalError'
  declare readonly code: 'internal'
}

/**
 * No response: the connection was refused or reset, or the host name did not resolve. The request may have taken
 * effect.
 */
export class ConnectionError extends KycError {
  override readonly name = 'ConnectionError'
}

/** No response in time. The request may have taken effect. */
export class TimeoutError extends KycError {
  override readonly name = 'TimeoutError'
}

/** An event that must not be trusted: respond with 400 and do nothing. */
export class WebhookVerificationError extends KycError {
  override readonly name = 'WebhookVerificationError'
  readonly reason: 'missing_header' | 'bad_timestamp' | 'too_old' | 'bad_signature' | 'bad_body'

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const classes = {
  bad_request: BadRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  conflict: ConflictError,
  unprocessable: UnprocessableError,
  rate_limited: RateLimitedError,
  internal: InternalError,
} satisfies Record<ErrorCode, typeof ApiError>

/** The error for a response. One without the error envelope (such as a proxy's page) counts as `internal`. */
export function errorOfAnswer(status: number, headers: Headers, body: unknown): ApiError {
  const { code, message } = (body as { error?: { code?: string; message?: string } } | null)?.error ?? {}
  const known = code !== undefined && Object.hasOwn(classes, code) ? (code as ErrorCode) : 'internal'
  const retryAfter = headers.get('retry-after')
  return new classes[known](message ?? `The service answered ${status}.`, {
    code: known,
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
  })
}
