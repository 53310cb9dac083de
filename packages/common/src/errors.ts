/** The error codes of the interface (section 7) and the HTTP status each one has. */
export const errorStatus = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
} as const

export type ErrorCode = keyof typeof errorStatus
export const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

/**
 * An answer the caller is meant to read: a stable code and a public message that names the field.
 * Anything else that is thrown is `internal` and tells the caller nothing.
 */
export class PublicError extends Error {
  override readonly name = 'PublicError'
  readonly code: ErrorCode
  /** Seconds after which a retry may succeed; sent as `retry-after`. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export const badRequest = (message: string) => new PublicError('bad_request', message)
export const unauthorized = (message = 'A valid x-api-key header is required.') =>
  new PublicError('unauthorized', message)
export const forbidden = (message = 'Your role may not do this.') => new PublicError('forbidden', message)
/** One text for "does not exist" and "belongs to another app", so neither can be told from the other. */
export const notFound = (subject: string) => new PublicError('not_found', `No such ${subject}.`)
export const conflict = (message: string, retryAfterSeconds?: number) =>
  new PublicError('conflict', message, { retryAfterSeconds })
export const unprocessable = (message: string) => new PublicError('unprocessable', message)
/** Upstream away or a queue full: the code is `internal`, the HTTP status 503, and the caller may retry. */
export class UnavailableError extends PublicError {
  constructor(message: string, retryAfterSeconds = 1, cause?: unknown) {
    super('internal', message, { retryAfterSeconds, cause })
  }
}
