import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './generated/types.ts'
import { type WebCrypto, webCrypto } from './web-crypto.ts'

/** Headers as frameworks provide them: a `Headers`, or an object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>

export type VerifyOptions = {
  /** The maximum difference between the sender's clock and the local one. Default 300. */
  toleranceSeconds?: number
  /** The current time in milliseconds; for tests. */
  now?: number
}

/** Unix time in seconds, in decimal digits, as the service writes it. */
const digits = /^\d{1,12}$/
const signatureForm = /^v1=([0-9a-f]{64})$/
/** More than a sender ever sends; limits the work that a flood of candidates causes. */
const maxSignatures = 8

const encoder = new TextEncoder()

/**
 * Returns the event of a delivery if its signature over the raw bytes is valid. Pass the raw body, before any parser.
 * Pass several secrets during a rotation. Throws {@link WebhookVerificationError}; respond to it with 400 and do
 * nothing.
 *
 * Deliveries can be repeated (compare `delivery_id`), and events of one session can arrive out of order (compare
 * `previous_status`).
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : new Uint8Array(rawBody)
  const timestamp = valuesOf(headers, 'x-kyc-timestamp')[0]
  const signatures = valuesOf(headers, 'x-kyc-signature')
  if (timestamp === undefined || signatures.length === 0) {
    throw new WebhookVerificationError('missing_header', 'x-kyc-timestamp and x-kyc-signature are required.')
  }
  if (!digits.test(timestamp)) {
    throw new WebhookVerificationError('bad_timestamp', 'x-kyc-timestamp must be Unix seconds.')
  }
  const message = concat(encoder.encode(`${timestamp}.`), body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!(await anyHolds(message, signatures, secrets))) {
    throw new WebhookVerificationError('bad_signature', 'No signature holds for this body.')
  }
  const now = (options.now ?? Date.now()) / 1000
  if (Math.abs(now - Number(timestamp)) > (options.toleranceSeconds ?? 300)) {
    throw new WebhookVerificationError('too_old', 'The event was signed too far from now.')
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent
  } catch {
    throw new WebhookVerificationError('bad_body', 'The body is not JSON.')
  }
}

/** `v1=<hex>` of a body, as the service signs it. */
export async function sign(rawBody: string | Uint8Array, timestamp: string, secret: string): Promise<string> {
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody
  const { subtle } = await webCrypto()
  const key = await keyOf(subtle, secret, 'sign')
  const digest = await subtle.sign('HMAC', key, concat(encoder.encode(`${timestamp}.`), body))
  return `v1=${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/**
 * Every pair is checked, and `subtle.verify` compares in constant time, so that timing does not reveal how close a
 * guess is.
 */
async function anyHolds(
  message: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  const { subtle } = await webCrypto()
  let holds = false
  for (const secret of secrets) {
    if (secret === '') throw new TypeError('the webhook secret is empty')
    const key = await keyOf(subtle, secret, 'verify')
    for (const signature of signatures.slice(0, maxSignatures)) {
      const hex = signatureForm.exec(signature)?.[1]
      if (hex !== undefined && (await subtle.verify('HMAC', key, bytesOfHex(hex), message))) holds = true
    }
  }
  return holds
}

const keyOf = (subtle: WebCrypto['subtle'], secret: string, use: 'sign' | 'verify') =>
  subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [use])

/** Every value of a header, given once or as a list, each possibly with several values separated by commas. */
function valuesOf(headers: WebhookHeaders, name: string): string[] {
  const value =
    typeof (headers as { get?: unknown }).get === 'function'
      ? ((headers as { get(name: string): string | null }).get(name) ?? undefined)
      : Object.entries(headers as Record<string, string | readonly string[] | undefined>).find(
          ([key]) => key.toLowerCase() === name,
        )?.[1]
  if (value === undefined) return []
  const list: readonly string[] = typeof value === 'string' ? [value] : value
  return list.flatMap((item) => item.split(',')).map((item) => item.trim())
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )
