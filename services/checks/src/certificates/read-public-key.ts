import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'

function parse(bytes: Buffer): KeyObject {
  try {
    return new X509Certificate(bytes).publicKey
  } catch {
    const pem = bytes.includes('-----BEGIN')
    return createPublicKey(pem ? bytes : { key: bytes, format: 'der', type: 'spki' })
  }
}

/**
 * The RSA public key of a certificate or a bare public key, PEM or DER, of at least 2048 bits; null for anything else.
 * Validity dates are ignored because an expired certificate still verifies what it signed.
 */
export function readPublicKey(bytes: Buffer): KeyObject | null {
  try {
    const key = parse(bytes)
    const strong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
    return key.asymmetricKeyType === 'rsa' && strong ? key : null
  } catch {
    return null
  }
}
