import { createHash } from 'node:crypto'
import type { Check } from '@kyc/common'
import { z } from 'zod'
import { canonicalJson } from './canonical-json.ts'

/** SHA-256, hex, of a value whose content is no secret from whoever holds the receipt. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex')

/** As `hashOf`, for values that could be guessed: without the salt the hash tells nothing. */
export const saltedHashOf = (salt: string, value: unknown): string => hashOf([salt, value])

const screened = z.object({ matches: z.array(z.looseObject({ review: z.unknown() })) })

/**
 * What a check found, hashed. A reviewer's verdict on a sanctions match comes after the check and may change: it is
 * left out.
 */
export function outputHashOf(salt: string, check: Check): string {
  const found = screened.safeParse(check.data)
  if (!found.success) return saltedHashOf(salt, check)
  const matches = found.data.matches.map(({ review: _, ...match }) => match)
  return saltedHashOf(salt, { ...check, data: { ...check.data, matches } })
}
