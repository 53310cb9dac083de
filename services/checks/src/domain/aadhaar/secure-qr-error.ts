/** The stage at which decoding failed. */
export type SecureQrStage = 'digits' | 'compression' | 'layout' | 'fields'

const messages: Readonly<Record<SecureQrStage, string>> = {
  digits: 'qr_text is not a decimal number',
  compression: 'qr_text does not hold a compressed Secure QR',
  layout: 'qr_text holds no Secure QR of a known version',
  fields: 'qr_text holds a Secure QR with missing or malformed fields',
}

/** The text is not a Secure QR. The message names the stage and contains nothing of the content. */
export class SecureQrError extends Error {
  readonly stage: SecureQrStage

  constructor(stage: SecureQrStage) {
    super(messages[stage])
    this.name = 'SecureQrError'
    this.stage = stage
  }
}
