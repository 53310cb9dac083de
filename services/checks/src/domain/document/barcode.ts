import type { SecureQrAnswer } from '@kyc/common'
import { decodeSecureQr, SecureQrError, type SecureQrKey, verifySecureQr } from '../aadhaar/index.ts'
import { type DrivingLicence, parseAamva } from './aamva.ts'

/** A two-dimensional code as it was scanned. */
export interface ScannedCode {
  readonly symbology: 'pdf417' | 'qr'
  readonly text: string
}

/** The content of a two-dimensional barcode on a document. */
export type BarcodeReading =
  | { readonly kind: 'aamva'; readonly licence: DrivingLicence }
  | { readonly kind: 'secure_qr'; readonly answer: SecureQrAnswer }
  /** A document code whose content cannot be parsed. */
  | { readonly kind: 'invalid'; readonly symbology: string }

/** A digits-only QR code of at least this length can only be a Secure QR. */
const SECURE_QR_MIN_DIGITS = 500

/**
 * The first scanned code that identifies the holder; `keys` verify an Aadhaar Secure QR. A damaged code of a supported
 * kind is `invalid`; other codes (links, serial numbers) are ignored.
 */
export function interpretCodes(
  codes: readonly ScannedCode[],
  keys: readonly SecureQrKey[],
): BarcodeReading | null {
  let invalid: BarcodeReading | null = null
  for (const { symbology, text } of codes) {
    if (symbology === 'pdf417') {
      const licence = parseAamva(text)
      if (licence) return { kind: 'aamva', licence }
      if (text.startsWith('@')) invalid = { kind: 'invalid', symbology }
    } else if (/^\d+$/.test(text) && text.length >= SECURE_QR_MIN_DIGITS) {
      try {
        const decoded = decodeSecureQr(text)
        return { kind: 'secure_qr', answer: { ...decoded.content, ...verifySecureQr(decoded, keys) } }
      } catch (error) {
        if (!(error instanceof SecureQrError)) throw error
        invalid = { kind: 'invalid', symbology }
      }
    }
  }
  return invalid
}
