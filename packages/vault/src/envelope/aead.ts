import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { VaultIntegrityError } from '../errors.ts'

export const keyBytes = 32
export const nonceBytes = 12
export const tagBytes = 16

/** HKDF-SHA256 (RFC 5869) to a 32-byte key. */
export function deriveKey(secret: Uint8Array, salt: Uint8Array, info: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, keyBytes))
}

/** AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce: nonce ‖ ciphertext ‖ tag. */
export function sealBytes(key: Buffer, plaintext: Uint8Array, aad: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(aad)
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** Opens the result of `sealBytes`. Throws `VaultIntegrityError` with the message `failure` for anything else. */
export function openBytes(key: Buffer, sealed: Buffer, aad: Buffer, failure: string): Buffer {
  if (sealed.length < nonceBytes + tagBytes) throw new VaultIntegrityError(failure)
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(aad)
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  try {
    const plaintext = decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes))
    decipher.final()
    return plaintext
  } catch {
    throw new VaultIntegrityError(failure)
  }
}
