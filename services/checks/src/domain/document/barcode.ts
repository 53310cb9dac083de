import type { SecureQrAnswer } from '@kyc/common'
import type { DrivingLicence } from './aamva.ts'

/** What a two-dimensional barcode on a document says. */
export type BarcodeReading =
  | { readonly kind: 'aamva'; readonly licence: DrivingLicence }
  | { readonly kind: 'secure_qr'; readonly answer: SecureQrAnswer }
  /** A barcode of a known kind whose content does not parse. */
  | { readonly kind: 'invalid'; readonly symbology: string }
