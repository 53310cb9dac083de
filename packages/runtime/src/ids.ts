import { createHash, randomBytes } from 'node:crypto'
import { type IdKind, idPrefixes } from '@kyc/common'

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Random bytes are requested in blocks, because one call of the system's generator costs as much as a page of bytes.
 */
const blockBytes = 4_096
let block = Buffer.alloc(0)
let used = 0

function nextByte(): number {
  if (used === block.length) {
    block = randomBytes(blockBytes)
    used = 0
  }
  const byte = block[used] as number
  // A credential must not remain in memory after it was returned.
  block[used++] = 0
  return byte
}

/** `length` characters of [A-Za-z0-9] from the system's generator, without modulo bias. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = nextByte()
    // 248 is the largest multiple of 62 in a byte; larger values would favour the first characters.
    if (byte < 248) text += alphabet[byte % 62]
  }
  return text
}

/** `bytes` random bytes in lower-case hex. */
export function randomHex(bytes: number): string {
  let text = ''
  for (let index = 0; index < bytes; index++) text += hex[nextByte()]
  return text
}

/** A new id: the prefix of its kind and 24 characters (142 random bits). */
export const newId = (kind: IdKind): string => `${idPrefixes[kind]}_${randomText(24)}`

/** A credential of 43 characters (256 random bits). */
export const newToken = (): string => randomText(43)

/** SHA-256 in lower-case hex: the stored form of a credential with 256 random bits. */
export const sha256Hex = (value: string | Uint8Array): string =>
  createHash('sha256').update(value).digest('hex')
