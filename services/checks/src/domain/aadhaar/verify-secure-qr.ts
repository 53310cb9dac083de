import { type KeyObject, verify } from 'node:crypto'
import type { DecodedSecureQr } from './decode-secure-qr.ts'

/** A public key of the issuing authority, named after its certificate. */
export interface SecureQrKey {
  name: string
  key: KeyObject
}

export interface SecureQrVerification {
  signature: 'valid' | 'invalid' | 'no_certificates'
  /** The certificate that verifies the signature; null otherwise. */
  signature_key: string | null
}

/**
 * Verifies the signature with each installed key: RSA PKCS#1 v1.5 (RFC 8017 section 8.2) with SHA-256 over everything
 * before the last 256 bytes. Ignores expiry because an expired certificate still verifies what it signed.
 */
export function verifySecureQr(
  { signed, signature }: DecodedSecureQr,
  keys: readonly SecureQrKey[],
): SecureQrVerification {
  if (keys.length === 0) return { signature: 'no_certificates', signature_key: null }
  for (const { name, key } of keys) {
    if (verify('sha256', signed, key, signature)) return { signature: 'valid', signature_key: name }
  }
  return { signature: 'invalid', signature_key: null }
}
