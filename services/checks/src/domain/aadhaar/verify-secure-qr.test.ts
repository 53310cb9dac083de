import { createPublicKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { sharedDir } from '@kyc/testing'
import { buildSecureQr } from '../../../test/fixtures/build-secure-qr.ts'
import { decodeSecureQr } from './decode-secure-qr.ts'
import { SecureQrError } from './secure-qr-error.ts'
import { type SecureQrKey, verifySecureQr } from './verify-secure-qr.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key: SecureQrKey = { name: 'issuer', key: pair.publicKey }
const otherKey: SecureQrKey = { name: 'other', key: other.publicKey }

describe('verifySecureQr', () => {
  const decoded = decodeSecureQr(buildSecureQr({ indicator: '0', key: pair.privateKey }))

  test('names the key that verifies the signature, whatever other keys are installed', () => {
    expect(verifySecureQr(decoded, [otherKey, key])).toEqual({ signature: 'valid', signature_key: 'issuer' })
  })

  test('is invalid under other keys', () => {
    expect(verifySecureQr(decoded, [otherKey])).toEqual({ signature: 'invalid', signature_key: null })
  })

  test('reports no_certificates when no certificate is installed', () => {
    expect(verifySecureQr(decoded, [])).toEqual({ signature: 'no_certificates', signature_key: null })
  })

  test('is invalid after any bit is changed', () => {
    for (const position of [0, 5, Math.floor(decoded.signed.length / 2), decoded.signed.length - 1]) {
      const signed = Buffer.from(decoded.signed)
      signed[position]! ^= 1
      expect(verifySecureQr({ ...decoded, signed }, [key]).signature).toBe('invalid')
    }
    const signature = Buffer.from(decoded.signature)
    signature[100]! ^= 1
    expect(verifySecureQr({ ...decoded, signature }, [key]).signature).toBe('invalid')
  })

  test('rejects another hash or another padding', () => {
    const sha1 = sign('sha1', decoded.signed, pair.privateKey)
    const pss = sign('sha256', decoded.signed, { key: pair.privateKey, padding: 6 })
    for (const signature of [sha1, pss]) {
      expect(verifySecureQr({ ...decoded, signature }, [key]).signature).toBe('invalid')
    }
  })
})

interface QrCase {
  id: string
  qr_text: string
  expect?: Record<string, unknown>
  expect_status?: number
}

const folder = sharedDir('data', 'aadhaar')
const cases: QrCase[] =
  folder === null
    ? []
    : ['synthetic.jsonl', 'vectors.jsonl'].flatMap((file) =>
        readFileSync(join(folder, file), 'utf8')
          .trim()
          .split('\n')
          .map((line): QrCase => JSON.parse(line)),
      )

function keysOf(directory: string): SecureQrKey[] {
  return readdirSync(directory).map((file) => {
    const bytes = readFileSync(join(directory, file))
    const name = parse(file).name
    try {
      return { name, key: new X509Certificate(bytes).publicKey }
    } catch {
      return { name, key: createPublicKey(bytes) }
    }
  })
}

;(folder === null ? describe.skip : describe)(
  'open Secure QR cases (skipped without the shared data)',
  () => {
    const keys =
      folder === null ? [] : [...keysOf(join(folder, 'certs')), ...keysOf(join(folder, 'uidai_certs'))]

    test.each(cases.map((entry) => [entry.id, entry] as const))('%s', (_id, { qr_text, expect: wanted }) => {
      if (wanted === undefined) {
        expect(() => decodeSecureQr(qr_text)).toThrow(SecureQrError)
        return
      }
      const decoded = decodeSecureQr(qr_text)
      const answer = { ...decoded.content, ...verifySecureQr(decoded, keys) }
      const { generated_at: moment, ...rest } = wanted
      expect(answer).toMatchObject(rest)
      // The API has second precision; the cases have milliseconds.
      if (typeof moment === 'string') expect(answer.generated_at).toBe(`${moment.slice(0, 19)}Z`)
    })

    test('rejects a published QR truncated anywhere within 20 ms', () => {
      const text = cases.find(({ id }) => id === 'uidai_v1_sumit')!.qr_text
      const bytes = Buffer.from(BigInt(text).toString(16).padStart(2, '0'), 'hex')
      const timeOf = (digits: string): number => {
        const start = process.cpuUsage()
        expect(() => decodeSecureQr(digits)).toThrow(SecureQrError)
        const { user, system } = process.cpuUsage(start)
        return (user + system) / 1000
      }
      let slowest = 0
      // The benchmark tries every length.
      for (let length = 1; length < bytes.length; length += 19) {
        const digits = BigInt(`0x${bytes.subarray(0, length).toString('hex')}`).toString()
        let time = timeOf(digits)
        // Measures processor time, to exclude other work. Garbage collection may interfere, so an input is slow only if
        // every repetition is.
        for (let again = 0; again < 5 && time > 20; again++) time = Math.min(time, timeOf(digits))
        slowest = Math.max(slowest, time)
      }
      expect(slowest).toBeLessThan(20)
    })
  },
)
