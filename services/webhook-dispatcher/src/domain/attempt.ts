import type { SendOutcome } from '@kyc/outbound'

/** A completed attempt, as stored. */
export type Attempt = {
  status_code: number | null
  /** `<code>: <message>`; null if the receiver's response alone describes the outcome. */
  error: string | null
  /** The first bytes of the response as received; null if there was none. */
  response_excerpt: Buffer | null
  duration_ms: number
}

/** Success is a complete response with any 2xx (interface, section 6.4). */
export const succeeded = (outcome: SendOutcome): boolean =>
  outcome.error === undefined &&
  outcome.status_code !== null &&
  outcome.status_code >= 200 &&
  outcome.status_code < 300

export function toAttempt(outcome: SendOutcome): Attempt {
  return {
    status_code: outcome.status_code,
    error: errorOf(outcome),
    response_excerpt: outcome.status_code === null ? null : outcome.body_excerpt,
    duration_ms: outcome.duration_ms,
  }
}

function errorOf({ error, status_code }: SendOutcome): string | null {
  if (error !== undefined) return `${error.code}: ${error.message}`
  if (status_code !== null && status_code >= 300 && status_code < 400) {
    return 'redirect: The receiver redirected; redirects are never followed.'
  }
  return null
}

/** The excerpt as UTF-8 text. Omits a character truncated at the end; other invalid bytes become U+FFFD. */
export function excerptText(bytes: Uint8Array): string {
  // Streaming mode buffers an incomplete last character instead of replacing it.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
}
