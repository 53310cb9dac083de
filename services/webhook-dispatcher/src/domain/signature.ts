import { createHmac } from 'node:crypto'

/**
 * The `x-kyc-signature` of one attempt (interface, section 6.3): `v1=` and the lower-case hex HMAC-SHA256 of
 * `<timestamp>.<body>`, keyed with the whole secret, prefix included, as UTF-8.
 * @param timestamp Unix seconds, as sent in `x-kyc-timestamp`.
 * @param body the raw bytes as sent.
 */
export function sign(secret: string, timestamp: number, body: Uint8Array): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`
}
