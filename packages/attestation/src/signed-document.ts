import { createPublicKey, sign, verify } from 'node:crypto'
import type { PublicSigningKey, SignedDocument } from '@kyc/common'
import { canonicalJson } from './canonical-json.ts'
import { type SigningKey, thumbprint } from './signing-key.ts'

/**
 * Signs the canonical JSON of `payload`. Its `type` is signed too, so a document cannot be passed off as another kind.
 */
export function signDocument<P extends { type: string }>(key: SigningKey, payload: P): SignedDocument<P> {
  const value = sign(null, Buffer.from(canonicalJson(payload)), key.privateKey).toString('base64url')
  return { payload, signature: { algorithm: 'Ed25519', key_id: key.key_id, value } }
}

/** Null when the signature was made by one of `keys`; otherwise the problem. */
export function signatureProblem(
  document: SignedDocument<{ type: string }>,
  keys: readonly PublicSigningKey[],
): string | null {
  const { algorithm, key_id, value } = document.signature
  if (algorithm !== 'Ed25519') return `the signature's algorithm is ${String(algorithm)}, not Ed25519`
  const key = keys.find((item) => thumbprint(item) === key_id)
  if (!key) return `the signing key ${key_id} is none of the trusted ones`
  const { kty, crv, x } = key
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  const bytes = Buffer.from(canonicalJson(document.payload))
  const signature = Buffer.from(value, 'base64url')
  // Accept only one encoding per signature, because the decoder ignores foreign characters and spare bits.
  return signature.toString('base64url') === value && verify(null, bytes, publicKey, signature)
    ? null
    : 'the signature does not fit the document: it was changed, or made with another key'
}
