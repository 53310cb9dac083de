import { generateKeyPairSync } from 'node:crypto'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { buildPayload, buildSecureQr, codestream, toDecimal } from '../../../test/fixtures/build-secure-qr.ts'
import { decodeSecureQr } from './decode-secure-qr.ts'
import { SecureQrError } from './secure-qr-error.ts'

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const emailHash = Buffer.alloc(32, 0xe1)
const mobileHash = Buffer.alloc(32, 0x01)

function stageOf(text: string): string {
  try {
    decodeSecureQr(text)
  } catch (error) {
    if (error instanceof SecureQrError) return error.stage
    throw error
  }
  return 'decoded'
}

describe('decodeSecureQr', () => {
  test('reads every field of a V1 QR with both hashes', () => {
    const { content } = decodeSecureQr(buildSecureQr({ hashes: [emailHash, mobileHash], key }))
    expect(content).toEqual({
      source: 'secure_qr',
      version: 'V1',
      aadhaar_last4: '2697',
      generated_at: '2019-03-08T06:14:07Z',
      name: 'Asha Testwala',
      dob_raw: '01-02-1984',
      date_of_birth: '1984-02-01',
      gender: 'F',
      address: {
        care_of: 'C/O Ravi Testwala',
        house: '12-3/4',
        street: '5th Cross',
        landmark: 'Near Test Temple',
        locality: 'Sector 2',
        vtc: 'Testpur',
        post_office: 'Test Nagar S.O',
        sub_district: 'Taluk One',
        district: 'Mockpur',
        state: 'Delhi',
        pincode: '110051',
      },
      address_text:
        'C/O Ravi Testwala, 12-3/4, 5th Cross, Near Test Temple, Sector 2, Testpur, Test Nagar S.O, Taluk One, Mockpur, Delhi, 110051',
      mobile_hash: mobileHash.toString('hex'),
      email_hash: emailHash.toString('hex'),
      photo_format: 'jp2',
      photo_present: true,
    })
  })

  test.each([
    ['0', [], null, null],
    ['1', [emailHash], emailHash, null],
    ['2', [mobileHash], null, mobileHash],
  ])('indicator %s determines which hashes follow the photo', (indicator, hashes, email, mobile) => {
    const { content } = decodeSecureQr(buildSecureQr({ indicator, hashes, key }))
    expect(content.email_hash).toBe(email?.toString('hex') ?? null)
    expect(content.mobile_hash).toBe(mobile?.toString('hex') ?? null)
  })

  test.each(['V2', 'V3', 'V4', 'V5'])(
    '%s contains the last digits of the mobile number and, in this case, no hashes',
    (version) => {
      const { content } = decodeSecureQr(buildSecureQr({ version, zlib: true, key }))
      expect(content).toMatchObject({ version, mobile_hash: null, email_hash: null, photo_format: 'jp2' })
    },
  )

  test.each(['V2', 'V4'])('%s with hashes is recognised by where the photo ends', (version) => {
    const { content } = decodeSecureQr(buildSecureQr({ version, hashes: [emailHash, mobileHash], key }))
    expect(content).toMatchObject({
      email_hash: emailHash.toString('hex'),
      mobile_hash: mobileHash.toString('hex'),
    })
  })

  test('returns the format of the photo and none of its bytes', () => {
    const boxed = Buffer.concat([Buffer.from('0000000c6a5020200d0a870a', 'hex'), codestream])
    const jpeg = Buffer.concat([
      Buffer.from('ffd8ffe0', 'hex'),
      Buffer.alloc(50, 7),
      Buffer.from('ffd9', 'hex'),
    ])
    const formatOf = (photo: Buffer) =>
      decodeSecureQr(buildSecureQr({ indicator: '0', photo, key })).content.photo_format
    expect(formatOf(boxed)).toBe('jp2')
    expect(formatOf(jpeg)).toBe('jpeg')
    expect(formatOf(Buffer.from('anything'))).toBe('unknown')
    expect(formatOf(Buffer.alloc(0))).toBeNull()
    const text = JSON.stringify(decodeSecureQr(buildSecureQr({ indicator: '0', key })).content)
    expect(text).not.toContain('ZZZZ')
  })

  test('never returns the reference id', () => {
    const { content } = decodeSecureQr(buildSecureQr({ indicator: '0', key }))
    expect(JSON.stringify(content)).not.toContain('269720190308')
  })

  test('reads ISO-8859-1, not windows-1252', () => {
    const name = 'Jos\u00e9 D\u0092Souza \u0080'
    expect(decodeSecureQr(buildSecureQr({ indicator: '0', fields: { 2: name }, key })).content.name).toBe(
      name,
    )
  })

  test.each([
    ['1984', null],
    ['31-02-1984', null],
    ['29-02-2000', '2000-02-29'],
    ['28/12/1999', '1999-12-28'],
    ['', null],
  ])('date of birth %s is %s', (dob, date) => {
    expect(
      decodeSecureQr(buildSecureQr({ indicator: '0', fields: { 3: dob }, key })).content.date_of_birth,
    ).toBe(date)
  })

  test('dates midnight in India to the previous day in UTC', () => {
    const fields = { 1: '563920210101000000000' }
    expect(decodeSecureQr(buildSecureQr({ indicator: '0', fields, key })).content.generated_at).toBe(
      '2020-12-31T18:30:00Z',
    )
  })

  test.each([
    ['', 'digits'],
    ['0x1f8b08', 'digits'],
    ['12 34', 'digits'],
    ['-12', 'digits'],
    ['1e9', 'digits'],
    ['٣٢', 'digits'],
    ['<?xml version="1.0"?><PrintLetterBarcodeData/>', 'digits'],
    ['9'.repeat(16_385), 'digits'],
    ['9'.repeat(16_384), 'compression'],
    ['0', 'compression'],
    [toDecimal(deflateRawSync(Buffer.alloc(500, 65))), 'compression'],
    [toDecimal(gzipSync(Buffer.alloc(1024 * 1024))), 'compression'],
    [toDecimal(gzipSync(Buffer.alloc(64, 65))), 'layout'],
    [toDecimal(gzipSync(Buffer.alloc(600, 65))), 'layout'],
    [
      toDecimal(gzipSync(Buffer.concat([Buffer.from('3\u00ffonly one', 'latin1'), Buffer.alloc(256)]))),
      'fields',
    ],
  ])('rejects %#: stage %s', (text, stage) => {
    expect(stageOf(text)).toBe(stage)
  })

  test('rejects an unknown version, an impossible indicator, and missing hashes', () => {
    expect(stageOf(buildSecureQr({ version: 'V9', key }))).toBe('layout')
    expect(stageOf(buildSecureQr({ indicator: '7', key }))).toBe('fields')
    expect(stageOf(buildSecureQr({ indicator: '3', photo: Buffer.alloc(10), key }))).toBe('fields')
  })

  test('reads fields from the signed part only', () => {
    const payload = buildPayload({ indicator: '0', photo: Buffer.alloc(0), key })
    const cut = Buffer.concat([payload.subarray(0, 40), Buffer.alloc(256, 0xff)])
    expect(stageOf(toDecimal(gzipSync(cut)))).toBe('fields')
  })

  test('ignores white space and leading zeros that scanners add', () => {
    const text = buildSecureQr({ indicator: '0', key })
    expect(decodeSecureQr(`000${text}\r\n`).content).toEqual(decodeSecureQr(text).content)
  })

  test('an error contains nothing of the content', () => {
    for (const text of ['Asha 1234', toDecimal(gzipSync(Buffer.from('Asha'.repeat(100))))]) {
      expect(() => decodeSecureQr(text)).toThrow(expect.not.stringContaining('Asha'))
    }
  })

  test('returns a decoded QR or a failed stage for every truncation', () => {
    const text = buildSecureQr({ hashes: [emailHash, mobileHash], key })
    for (let length = 0; length < text.length; length += 7)
      expect(stageOf(text.slice(0, length))).not.toBe('decoded')
    const payload = buildPayload({ hashes: [emailHash, mobileHash], key })
    for (let length = 0; length < payload.length; length += 5)
      stageOf(toDecimal(gzipSync(payload.subarray(0, length))))
  })

  test('throws only SecureQrError, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 900 }), fc.boolean(), (bytes, asFields) => {
        const body = asFields
          ? Buffer.from(bytes.map((byte) => (byte % 5 === 0 ? 0xff : byte)))
          : Buffer.from(bytes)
        stageOf(toDecimal(gzipSync(Buffer.concat([Buffer.from('2\u00ff', 'latin1'), body]))))
        if (bytes.length > 0) stageOf(toDecimal(Buffer.from(bytes)))
      }),
      { numRuns: 300 },
    )
  })
})
