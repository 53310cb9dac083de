/** The error codes of the public API (section 7) and their HTTP statuses. */
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
 * An error whose message is returned to the caller: a stable code and a public message that names the field. Any other
 * thrown error becomes `internal` and reveals nothing to the caller.
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
/** One text for "does not exist" and "belongs to another app", so that a caller cannot distinguish them. */
export const notFound = (subject: string) => new PublicError('not_found', `No such ${subject}.`)
export const conflict = (message: string, retryAfterSeconds?: number) =>
  new PublicError('conflict', message, { retryAfterSeconds })
export const unprocessable = (message: string) => new PublicError('unprocessable', message)
/**
 * An upstream is unavailable or a queue is full: the code is `internal`, the HTTP status 503, and the caller may retry.
 */
export class UnavailableError extends PublicError {
  constructor(message: string, retryAfterSeconds = 1, cause?: unknown) {
    super('internal', message, { retryAfterSeconds, cause })
  }
}
