import { UnavailableError } from '@kyc/common'

/** Thrown by a handler for a message that no retry can help. The message is parked immediately. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError'
}

/**
 * Thrown by a handler when a dependency is unavailable. The message is retried at the first tier without using up an
 * attempt.
 */
export class TransientError extends Error {
  override readonly name = 'TransientError'
}

/** The responder did not respond within the deadline. */
export class RequestTimeoutError extends UnavailableError {
  constructor(requestName: string, deadlineMs: number) {
    super('A part of the service did not answer in time.', 1, new Error(`${requestName}: ${deadlineMs} ms`))
  }
}

/** The responder failed for a reason that is not disclosed to the requester. HTTP clients receive it as `internal`. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}

// Node's socket errors, and SQLSTATE classes 08 (connection), 53 (resources) and 57P0x (shutdown): PostgreSQL app. A.
const transientCode =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|08...|53...|57P0[123])$/

/** True when the infrastructure failed and not the message. A message must never be parked for such an error. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TransientError) return true
  for (let current = error, depth = 0; current instanceof Error && depth < 4; depth++) {
    const code: unknown = 'code' in current ? current.code : undefined
    if (typeof code === 'string' && transientCode.test(code)) return true
    if (/^(Connection terminated|timeout exceeded when trying to connect)/.test(current.message)) return true
    current = current.cause
  }
  return false
}
