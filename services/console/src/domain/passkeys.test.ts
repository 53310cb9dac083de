import { describe, expect, test } from '@jest/globals'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import {
  challengeOf,
  creationOptions,
  isWithoutCertificates,
  knownTransports,
  relyingParty,
  requestOptions,
  userIdOf,
} from './passkeys.ts'

const party = { id: 'console.example.com', origin: 'https://console.example.com' }
const stored = { credential_id: Buffer.from([1, 2, 3]), transports: ['usb', 'telepathy'] }

test.each([
  ['https://console.example.com', party],
  [
    'https://console.example.com:8443/',
    { id: 'console.example.com', origin: 'https://console.example.com:8443' },
  ],
  ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
])('derives RP ID (host name) and origin (scheme and port) from %s', (url, expected) => {
  expect(relyingParty(url)).toEqual(expected)
})

test('a registration requires user verification and no attestation, excludes known credentials and uses no e-mail as user id', () => {
  const user = { id: 'usr_1', email: 'ana@example.com', name: null }
  const options = creationOptions(party, 'Y2hhbGxlbmdl', user, [stored])
  expect(options).toMatchObject({
    rp: { id: 'console.example.com' },
    user: { id: Buffer.from('usr_1').toString('base64url'), displayName: 'ana@example.com' },
    excludeCredentials: [{ id: 'AQID', transports: ['usb'] }],
    authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
    attestation: 'none',
  })
})

test('an authentication request requires user verification', () => {
  expect(requestOptions(party, 'Y2hhbGxlbmdl', [stored])).toMatchObject({
    rpId: 'console.example.com',
    allowCredentials: [{ id: 'AQID' }],
    userVerification: 'required',
  })
})

test('drops unknown transports', () => {
  expect(knownTransports(['internal', 'telepathy'])).toEqual(['internal'])
})

describe('the challenge of a response', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('is read from the client data', () => {
    expect(challengeOf(encoded({ challenge: 'abc' }))).toBe('abc')
    expect(challengeOf(encoded({ challenge: 'abc', crossOrigin: false }))).toBe('abc')
  })

  test.each([
    ['no JSON', 'AAAA'],
    ['null', encoded(null)],
    ['a challenge that is no text', encoded({ challenge: 1 })],
    ['a response made in a foreign frame', encoded({ challenge: 'abc', crossOrigin: true })],
  ])('is null for %s', (_, data) => {
    expect(challengeOf(data)).toBeNull()
  })
})

describe('attestation', () => {
  /** `{ fmt, attStmt, authData: h'' }` in CBOR, with `x5c: []` or an empty statement. */
  const object = (fmt: string, certificates: boolean) => {
    const text = (value: string) => Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)])
    const statement = certificates
      ? [Buffer.from([0xa1]), text('x5c'), Buffer.from([0x80])]
      : [Buffer.from([0xa0])]
    const encoded = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text(fmt),
      text('attStmt'),
      ...statement,
      text('authData'),
      Buffer.from([0x40]),
    ])
    return decodeAttestationObject(new Uint8Array(encoded))
  }

  test('accepts the formats none and self attestation', () => {
    expect(isWithoutCertificates(object('none', false))).toBe(true)
    expect(isWithoutCertificates(object('packed', false))).toBe(true)
  })

  test.each([
    ['packed', true],
    ['android-key', false],
    ['android-safetynet', false],
    ['apple', false],
    ['tpm', false],
    ['fido-u2f', true],
  ])('rejects the format %s before any certificate is parsed', (fmt, certificates) => {
    expect(isWithoutCertificates(object(fmt, certificates))).toBe(false)
  })
})

test('reads the user id from a user handle', () => {
  expect(userIdOf(Buffer.from('usr_1').toString('base64url'))).toBe('usr_1')
  expect(userIdOf(undefined)).toBeNull()
})
