import { RequestError } from 'got'

/** Why an exchange had no complete response. Stable codes: stored with the attempt and shown to clients. */
export type OutboundErrorCode =
  | 'invalid_url'
  | 'destination_refused'
  | 'name_not_resolved'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'invalid_response'
  | 'redirect_refused'
  | 'too_large'

const messages: Record<OutboundErrorCode, string> = {
  invalid_url: 'The URL cannot be used.',
  // Does not disclose the rule or the address, so that clients cannot map the internal network.
  destination_refused: 'The destination is not a public address.',
  name_not_resolved: 'The host name could not be resolved.',
  connection_refused: 'The connection was refused.',
  connection_reset: 'The connection was closed before the response was complete.',
  connection_failed: 'The connection could not be made.',
  tls_failed: 'The TLS handshake or the certificate was not accepted.',
  timeout: 'No complete response within the time allowed.',
  invalid_response: 'The response was not valid HTTP.',
  redirect_refused: 'The response redirected to a place that is not allowed.',
  too_large: 'The response was larger than allowed.',
}

/** A failed exchange: a stable code and a message without addresses or data from the peer. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly code: OutboundErrorCode

  constructor(code: OutboundErrorCode, options: { detail?: string; cause?: unknown } = {}) {
    super(options.detail === undefined ? messages[code] : `${messages[code]} (${options.detail})`, {
      cause: options.cause,
    })
    this.code = code
  }
}

const bySystemCode: Record<string, OutboundErrorCode> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  // Fewer bytes than Content-Length announced.
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: 'connection_reset',
  EPROTO: 'tls_failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_failed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_failed',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_failed',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_failed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_failed',
  HOSTNAME_MISMATCH: 'tls_failed',
}
const byPrefix: [RegExp, OutboundErrorCode][] = [
  [/^HPE_/, 'invalid_response'],
  [/^(ERR_SSL_|ERR_TLS_|CERT_|CRL_)/, 'tls_failed'],
]
const bareCode = /^[A-Z][A-Z0-9_]{2,60}$/

/** Converts errors of node and got. An abort is a timeout, because nothing else aborts an exchange. */
export function toOutboundError(error: unknown, timedOut: boolean): OutboundError {
  if (error instanceof OutboundError) return error
  if (timedOut) return new OutboundError('timeout', { cause: error })
  const systemCode = systemCodeOf(error)
  if (systemCode === undefined) return new OutboundError('connection_failed', { cause: error })
  const code = bySystemCode[systemCode] ?? byPrefix.find(([prefix]) => prefix.test(systemCode))?.[1]
  return new OutboundError(code ?? 'connection_failed', { detail: systemCode, cause: error })
}

function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // Several addresses were tried; report the first failure.
  if (error instanceof AggregateError && error.errors.length > 0) return systemCodeOf(error.errors[0])
  // got wraps node's error and sets the original as its cause.
  if (error instanceof RequestError && error.cause instanceof Error) {
    const inner = systemCodeOf(error.cause)
    if (inner !== undefined) return inner
  }
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && bareCode.test(code) ? code : undefined
}
