import { type SecureQrAnswer, unprocessable } from '@kyc/common'
import type { CertificateFolder } from '../certificates/certificate-folder.ts'
import {
  type DecodedSecureQr,
  decodeSecureQr,
  SecureQrError,
  verifySecureQr,
} from '../domain/aadhaar/index.ts'

function decode(qrText: string): DecodedSecureQr {
  try {
    return decodeSecureQr(qrText)
  } catch (error) {
    if (error instanceof SecureQrError) throw unprocessable(error.message)
    throw error
  }
}

/**
 * POST /v1/checks/aadhaar/secure-qr: the content and the result of verifying its signature. 422 names the failed stage.
 */
export async function answerSecureQr(
  qrText: string,
  certificates: CertificateFolder,
): Promise<SecureQrAnswer> {
  const decoded = decode(qrText)
  return { ...decoded.content, ...verifySecureQr(decoded, await certificates.current()) }
}
