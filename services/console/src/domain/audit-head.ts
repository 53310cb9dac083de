import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** The last entry of the chain when a day had ended: who keeps it can prove that nothing before it was changed. */
export type AuditHead = { day: string; seq: number; hash: string; key_id: string; signature: string }

/** What is signed: the JSON of these three, in this order. */
const messageOf = ({ day, seq, hash }: Pick<AuditHead, 'day' | 'seq' | 'hash'>): Buffer =>
  Buffer.from(JSON.stringify({ day, seq, hash }))

export type HeadSigner = {
  key_id: string
  /** SPKI, PEM. */
  publicKey: string
  sign(head: Pick<AuditHead, 'day' | 'seq' | 'hash'>): AuditHead
  /** False for a head that no known key signed. */
  isSigned(head: AuditHead): boolean
}

/**
 * From an Ed25519 private key as JWK in JSON. `previous`: public keys (the `x` of their JWK) whose heads still count.
 * Throws for anything else.
 */
export function createHeadSigner(jwk: string, previous: readonly string[] = []): HeadSigner {
  const privateKey: KeyObject = createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' })
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('the audit key must be an Ed25519 JWK')
  const publicKey = createPublicKey(privateKey)
  const key_id = keyIdOf(publicKey)
  const known = new Map([publicKey, ...previous.map(publicKeyOf)].map((key) => [keyIdOf(key), key]))
  return {
    key_id,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: ({ day, seq, hash }) => {
      const signature = sign(null, messageOf({ day, seq, hash }), privateKey).toString('base64')
      return { day, seq, hash, key_id, signature }
    },
    isSigned: (head) => {
      const key = known.get(head.key_id)
      return key !== undefined && verify(null, messageOf(head), key, Buffer.from(head.signature, 'base64'))
    },
  }
}

const publicKeyOf = (x: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })

/** The beginning of the hash of the key, in hex: enough to tell keys apart. */
function keyIdOf(key: KeyObject): string {
  const spki = key.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(spki).digest('hex').slice(0, 16)
}
