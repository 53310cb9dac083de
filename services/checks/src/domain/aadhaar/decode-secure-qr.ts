import { decimalToBytes } from './decimal-to-bytes.ts'
import { inflatePayload } from './inflate-payload.ts'
import { locatePhoto } from './locate-photo.ts'
import { SecureQrError } from './secure-qr-error.ts'

export type SecureQrAddress = {
  care_of: string
  house: string
  street: string
  landmark: string
  locality: string
  vtc: string
  post_office: string
  sub_district: string
  district: string
  state: string
  pincode: string
}

/** The decoded fields that may leave the decoder. Excludes the photo's bytes and the reference id. */
export interface SecureQrContent {
  source: 'secure_qr'
  version: string
  aadhaar_last4: string | null
  /** RFC 3339 UTC, second precision. */
  generated_at: string | null
  name: string
  dob_raw: string
  date_of_birth: string | null
  gender: string
  address: SecureQrAddress
  address_text: string
  mobile_hash: string | null
  email_hash: string | null
  photo_format: string | null
  photo_present: boolean
}

export interface DecodedSecureQr {
  content: SecureQrContent
  /** The bytes that the signature covers. */
  signed: Buffer
  signature: Buffer
}

/** RSA-2048. */
const signatureLength = 256
const delimiter = 0xff

/** Fields in payload order, without the version marker; V1 has no last field. */
const fieldNames = [
  'indicator',
  'reference_id',
  'name',
  'dob',
  'gender',
  'care_of',
  'district',
  'landmark',
  'house',
  'locality',
  'pincode',
  'post_office',
  'state',
  'street',
  'sub_district',
  'vtc',
  'mobile_last4',
] as const
type FieldName = (typeof fieldNames)[number]

/** Whether the hashes of e-mail and mobile follow the photo. V2 and V4 QRs exist with and without them. */
const hashesByVersion: Readonly<Record<string, 'always' | 'maybe' | 'never'>> = {
  V1: 'always',
  V2: 'maybe',
  V3: 'never',
  V4: 'maybe',
  V5: 'never',
}

/** The text before each of the next `count` delimiters, and where the rest begins. */
function readFields(bytes: Buffer, start: number, count: number): { texts: string[]; end: number } {
  const texts: string[] = []
  let position = start
  for (let index = 0; index < count; index++) {
    const end = bytes.indexOf(delimiter, position)
    if (end < 0) throw new SecureQrError('fields')
    texts.push(bytes.toString('latin1', position, end))
    position = end + 1
  }
  return { texts, end: position }
}

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Converts DD-MM-YYYY or DD/MM/YYYY to YYYY-MM-DD; null for a year alone and for days that do not exist. */
function dateOfBirth(text: string): string | null {
  const parts = /^(\d{2})[-/](\d{2})[-/](\d{4})$/.exec(text)
  if (parts === null) return null
  const [, day = '', month = '', year = ''] = parts
  const valid =
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysInMonth(Number(year), Number(month))
  return valid ? `${year}-${month}-${day}` : null
}

/** The reference id is the last four digits followed by the issue time in Indian time (UTC+5:30), in milliseconds. */
function readReference(text: string): { last4: string | null; generatedAt: string | null } {
  const parts = /^(\d{4})(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\d{0,3}$/.exec(text)
  if (parts === null) return { last4: /^\d{4}/.exec(text)?.[0] ?? null, generatedAt: null }
  const [, last4 = '', year, month, day, hour, minute, second] = parts
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}+05:30`)
  if (Number.isNaN(moment.getTime())) return { last4, generatedAt: null }
  return { last4, generatedAt: `${moment.toISOString().slice(0, 19)}Z` }
}

function addressText(address: SecureQrAddress): string {
  return Object.values(address)
    .filter((part) => part.length > 0)
    .join(', ')
}

/** The version marker and where the fields begin after it. V1 has no marker and begins with the indicator. */
function readVersion(bytes: Buffer): { version: string; start: number } {
  const end = bytes.indexOf(delimiter)
  const first = end < 0 ? '' : bytes.toString('latin1', 0, Math.min(end, 8))
  if (/^[0-9]$/.test(first)) return { version: 'V1', start: 0 }
  if (first !== 'V1' && hashesByVersion[first] !== undefined) return { version: first, start: end + 1 }
  throw new SecureQrError('layout')
}

/**
 * Decodes the text of an Aadhaar Secure QR: decimal number, gzip or zlib, fields in ISO-8859-1 each ended by 0xFF,
 * photo, hashes, signature (UIDAI, Secure QR code specification). Does not verify the signature.
 *
 * Throws SecureQrError, which names the failed stage and contains nothing of the content.
 */
export function decodeSecureQr(qrText: string): DecodedSecureQr {
  const bytes = inflatePayload(decimalToBytes(qrText))
  if (bytes.length <= signatureLength) throw new SecureQrError('layout')
  // Search the signed part only, because a signature may contain 0xFF too.
  const signed = bytes.subarray(0, bytes.length - signatureLength)
  const { version, start } = readVersion(signed)
  const { texts, end } = readFields(
    signed,
    start,
    version === 'V1' ? fieldNames.length - 1 : fieldNames.length,
  )
  const field = (name: FieldName): string => texts[fieldNames.indexOf(name)] ?? ''
  if (!/^[0-3]$/.test(field('indicator'))) throw new SecureQrError('fields')
  const photo = locatePhoto(signed.subarray(end), hashesByVersion[version]!, Number(field('indicator')))
  if (photo === null) throw new SecureQrError('fields')
  const reference = readReference(field('reference_id'))
  const address: SecureQrAddress = {
    care_of: field('care_of'),
    house: field('house'),
    street: field('street'),
    landmark: field('landmark'),
    locality: field('locality'),
    vtc: field('vtc'),
    post_office: field('post_office'),
    sub_district: field('sub_district'),
    district: field('district'),
    state: field('state'),
    pincode: field('pincode'),
  }
  return {
    content: {
      source: 'secure_qr',
      version,
      aadhaar_last4: reference.last4,
      generated_at: reference.generatedAt,
      name: field('name'),
      dob_raw: field('dob'),
      date_of_birth: dateOfBirth(field('dob')),
      gender: field('gender'),
      address,
      address_text: addressText(address),
      mobile_hash: photo.mobileHash?.toString('hex') ?? null,
      email_hash: photo.emailHash?.toString('hex') ?? null,
      photo_format: photo.format,
      photo_present: photo.format !== null,
    },
    signed,
    signature: bytes.subarray(bytes.length - signatureLength),
  }
}
