import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@kyc/common'

/** Flags of authenticator data (WebAuthn Level 3, section 6.1). */
export const flags = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40 }

/** How a response may differ from a valid one. */
export type Deviation = {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  flags?: number
  counter?: number
  userHandle?: string
  signWith?: KeyObject
  /** Replaces the whole object, in base64url. */
  attestationObject?: string
  attestation?: { fmt: string; attStmt: Map<string, unknown> }
}

export type SoftwareKey = {
  credentialId: Buffer
  privateKey: KeyObject
  userHandle: string
  counter: number
}

/** An authenticator with ES256 keys, and the browser that calls it on a page of one origin. */
export function softwareAuthenticator(origin = 'http://localhost:8080') {
  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: deviation.crossOrigin ?? false,
      }),
    )
  return {
    register(
      options: PasskeyCreationOptions,
      deviation: Deviation & { credentialId?: Buffer; announcedId?: Buffer } = {},
    ): { key: SoftwareKey; registration: PasskeyRegistration } {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' })
      const credentialId = deviation.credentialId ?? randomBytes(32)
      const counter = deviation.counter ?? 1
      const coseKey = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([
        head(deviation.rpId ?? options.rp.id, deviation.flags ?? flags.up | flags.uv | flags.at, counter),
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey,
      ])
      const attestationObject = cbor(
        new Map<string, unknown>([
          ['fmt', deviation.attestation?.fmt ?? 'none'],
          ['attStmt', deviation.attestation?.attStmt ?? new Map()],
          ['authData', authData],
        ]),
      )
      const id = (deviation.announcedId ?? credentialId).toString('base64url')
      return {
        key: { credentialId, privateKey: pair.privateKey, userHandle: options.user.id, counter },
        registration: {
          id,
          rawId: id,
          type: 'public-key',
          response: {
            clientDataJSON: clientData('webauthn.create', options.challenge, deviation).toString('base64url'),
            attestationObject: deviation.attestationObject ?? attestationObject.toString('base64url'),
            transports: ['internal'],
          },
        },
      }
    },

    assert(options: PasskeyRequestOptions, key: SoftwareKey, deviation: Deviation = {}): PasskeyAssertion {
      key.counter = deviation.counter ?? key.counter + 1
      const authenticatorData = head(
        deviation.rpId ?? options.rpId,
        deviation.flags ?? flags.up | flags.uv,
        key.counter,
      )
      const client = clientData('webauthn.get', options.challenge, deviation)
      const signed = Buffer.concat([authenticatorData, sha256(client)])
      const id = key.credentialId.toString('base64url')
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: sign('sha256', signed, deviation.signWith ?? key.privateKey).toString('base64url'),
          userHandle: deviation.userHandle ?? key.userHandle,
        },
      }
    },
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** RP ID hash, flags and signature counter. */
function head(rpId: string, flagBits: number, counter: number): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flagBits)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), tail])
}

/** The subset of CBOR (RFC 8949) that attestation objects and COSE keys need. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? header(1, -1 - value) : header(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([header(2, value.length), value])
  if (typeof value === 'string')
    return Buffer.concat([header(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([header(4, value.length), ...value.map(cbor)])
  if (value instanceof Map) {
    return Buffer.concat([header(5, value.size), ...[...value].flatMap(([k, v]) => [cbor(k), cbor(v)])])
  }
  throw new Error(`not encoded: ${typeof value}`)
}

function header(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 0x100) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 0xff])
}
