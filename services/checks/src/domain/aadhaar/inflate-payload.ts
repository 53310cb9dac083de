import { gunzipSync, inflateSync } from 'node:zlib'
import { SecureQrError } from './secure-qr-error.ts'

/** A Secure QR holds a few kB. Reject larger payloads, because they can only be decompression bombs. */
const mostBytes = 64 * 1024

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** RFC 1950 section 2.2: compression method 8, and a header that is a multiple of 31. */
const isZlib = (bytes: Buffer): boolean =>
  bytes.length > 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0

/** Inflates gzip or zlib, detected by their first bytes, to at most 64 KiB. */
export function inflatePayload(bytes: Buffer): Buffer {
  try {
    if (isGzip(bytes)) return gunzipSync(bytes, { maxOutputLength: mostBytes })
    if (isZlib(bytes)) return inflateSync(bytes, { maxOutputLength: mostBytes })
  } catch {
    throw new SecureQrError('compression')
  }
  throw new SecureQrError('compression')
}
