import { createPublicKey, sign, verify } from 'node:crypto'
import type { PublicSigningKey, SignedDocument } from '@kyc/common'
import { canonicalJson } from './canonical-json.ts'
import { type SigningKey, thumbprint } from './signing-key.ts'

/** Signs the canonical JSON of `payload`. Its `type` is part of what is signed: no document poses as another kind. */
export function signDocument<P extends { type: string }>(key: SigningKey, payload: P): SignedDocument<P> {
  const value = sign(null, Buffer.from(canonicalJson(payload)), key.privateKey).toString('base64url')
  return { payload, signature: { algorithm: 'Ed25519', key_id: key.key_id, value } }
}

/** Null when the signature is that of one of `keys`; else what is wrong with it. */
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
  // One signature has one spelling: the decoder would pass over foreign characters and spare bits.
  return signature.toString('base64url') === value && verify(null, bytes, publicKey, signature)
    ? null
    : 'the signature does not fit the document: it was changed, or made with another key'
}
