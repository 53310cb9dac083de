import { createPrivateKey, createPublicKey } from 'node:crypto'
import { signatureProblem, signDocument, signingKeyOfSeed, thumbprint } from '@kyc/attestation'
import { type PublicSigningKey, type SignedAuditHead, type SignedAuditLoss, toTimestamp } from '@kyc/common'

export type HeadSigner = {
  /** The current public key first, then the earlier ones. */
  keys: readonly PublicSigningKey[]
  sign(last: { seq: number; hash: string }, at: Date): SignedAuditHead
  signLoss(range: { from_seq: number; to_seq: number }, at: Date): SignedAuditLoss
  /** Null if one of `keys` signed the document; otherwise a description of the problem. */
  problemOf(document: SignedAuditHead | SignedAuditLoss): string | null
}

/**
 * Creates a signer from an Ed25519 private key (JWK, JSON); throws for anything else. `previous`: public keys (the `x` of
 * their JWK) whose heads remain valid.
 */
export function createHeadSigner(jwk: string, previous: readonly string[] = []): HeadSigner {
  const privateKey = createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' })
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('the audit key must be an Ed25519 JWK')
  const key = signingKeyOfSeed(Buffer.from(privateKey.export({ format: 'jwk' }).d as string, 'base64url'))
  const keys = [key.publicKey, ...previous.map(publicKeyOf)]
  return {
    keys,
    sign: ({ seq, hash }, at) =>
      signDocument(key, {
        type: 'kyc.audit-head',
        version: 1,
        seq,
        hash,
        signed_at: toTimestamp(at),
      }),
    signLoss: ({ from_seq, to_seq }, at) =>
      signDocument(key, {
        type: 'kyc.audit-loss',
        version: 1,
        from_seq,
        to_seq,
        signed_at: toTimestamp(at),
      }),
    problemOf: (document) => signatureProblem(document, keys),
  }
}

function publicKeyOf(x: string): PublicSigningKey {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  // Throws at startup for a malformed key.
  createPublicKey({ key: jwk, format: 'jwk' })
  return { ...jwk, kid: thumbprint(jwk), use: 'sig', alg: 'EdDSA' }
}
