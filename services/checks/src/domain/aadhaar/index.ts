export {
  type DecodedSecureQr,
  decodeSecureQr,
  type SecureQrAddress,
  type SecureQrContent,
} from './decode-secure-qr.ts'
export { SecureQrError, type SecureQrStage } from './secure-qr-error.ts'
export { type SecureQrKey, type SecureQrVerification, verifySecureQr } from './verify-secure-qr.ts'
