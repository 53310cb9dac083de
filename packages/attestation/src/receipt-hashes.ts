import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** SHA-256, hex, of a value whose content is no secret from whoever holds the receipt. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex')

/** As `hashOf`, for values that could be guessed: without the salt the hash tells nothing. */
export const saltedHashOf = (salt: string, value: unknown): string => hashOf([salt, value])
