import { createHash, randomBytes } from 'node:crypto'
import { type IdKind, idPrefixes } from '@kyc/common'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `length` characters of [A-Za-z0-9] from the system's generator, without modulo bias. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 in a byte; larger values would favour the first letters.
      if (byte < 248) text += alphabet[byte % 62]
      if (text.length === length) break
    }
  }
  return text
}

/** A new id: the prefix of its kind and 24 characters, 142 random bits. */
export const newId = (kind: IdKind): string => `${idPrefixes[kind]}_${randomText(24)}`

/** A credential of 43 characters, 256 random bits. */
export const newToken = (): string => randomText(43)

/** SHA-256, lower-case hex: what is stored of a credential that has 256 random bits of its own. */
export const sha256Hex = (value: string | Uint8Array): string =>
  createHash('sha256').update(value).digest('hex')
