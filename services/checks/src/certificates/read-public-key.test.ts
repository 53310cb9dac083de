import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { expiredCertificate } from '../../test/fixtures/expired-certificate.ts'
import { readPublicKey } from './read-public-key.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const wanted = rsa.publicKey.export({ type: 'spki', format: 'pem' })
const pemOf = (bytes: Buffer) => readPublicKey(bytes)?.export({ type: 'spki', format: 'pem' })

test('reads certificates and bare public keys in PEM and DER, including expired certificates', () => {
  const certificate = expiredCertificate(rsa)
  const body = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  const pem = Buffer.from(`-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`)
  expect(pemOf(certificate)).toBe(wanted)
  expect(pemOf(pem)).toBe(wanted)
  expect(pemOf(Buffer.from(wanted))).toBe(wanted)
  expect(pemOf(rsa.publicKey.export({ type: 'spki', format: 'der' }))).toBe(wanted)
})

test('rejects non-RSA keys, short keys, and anything else', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
  for (const bytes of [
    ec.publicKey.export({ type: 'spki', format: 'der' }),
    short.publicKey.export({ type: 'spki', format: 'der' }),
    Buffer.from('nothing'),
    Buffer.alloc(0),
  ]) {
    expect(readPublicKey(bytes)).toBeNull()
  }
})
