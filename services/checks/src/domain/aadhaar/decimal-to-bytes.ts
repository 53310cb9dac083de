import { SecureQrError } from './secure-qr-error.ts'

/** The longest accepted text: 16 KiB of digits are 6.8 kB. */
const longestText = 16 * 1024

const decimal = /^[0-9]+$/

/**
 * The bytes of a decimal number, most significant first. Checks for digits before parsing because `BigInt` also accepts
 * hexadecimal, blanks and the empty text. Ignores white space that scanners append.
 */
export function decimalToBytes(text: string): Buffer {
  const digits = text.trim()
  if (digits.length > longestText || !decimal.test(digits)) throw new SecureQrError('digits')
  const hexadecimal = BigInt(digits).toString(16)
  return Buffer.from(hexadecimal.length % 2 === 0 ? hexadecimal : `0${hexadecimal}`, 'hex')
}
