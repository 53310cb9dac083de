import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { PublicSigningKey } from '@kyc/common'
import { canonicalJson } from './canonical-json.ts'

export type SigningKey = { key_id: string; privateKey: KeyObject; publicKey: PublicSigningKey }

/** The PKCS #8 prefix of an Ed25519 private key, before its 32 bytes (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The Ed25519 key whose private half is `seed`: 32 secret bytes (RFC 8032, section 5.1.5). */
export function signingKeyOfSeed(seed: Uint8Array): SigningKey {
  if (seed.length !== 32) throw new TypeError('an Ed25519 seed has 32 bytes')
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: x as string } as const
  const key_id = thumbprint(jwk)
  return { key_id, privateKey, publicKey: { ...jwk, kid: key_id, use: 'sig', alg: 'EdDSA' } }
}

/** RFC 7638, SHA-256: the id is computed from the key, so a key cannot claim the id of another. */
export function thumbprint({ crv, kty, x }: Pick<PublicSigningKey, 'crv' | 'kty' | 'x'>): string {
  return createHash('sha256').update(canonicalJson({ crv, kty, x })).digest('base64url')
}
