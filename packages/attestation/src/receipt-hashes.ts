import { createHash } from 'node:crypto'
import type { Check } from '@kyc/common'
import { z } from 'zod'
import { canonicalJson } from './canonical-json.ts'

/** SHA-256 in hex of a value that is not secret from the holder of the receipt. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex')

/** As `hashOf`, for values that could be guessed: without the salt the hash reveals nothing. */
export const saltedHashOf = (salt: string, value: unknown): string => hashOf([salt, value])

const screened = z.object({ matches: z.array(z.looseObject({ review: z.unknown() })) })

/**
 * Hashes the results of a check, without a reviewer's verdict on a sanctions match, which comes after the check and may
 * change.
 */
export function outputHashOf(salt: string, check: Check): string {
  const found = screened.safeParse(check.data)
  if (!found.success) return saltedHashOf(salt, check)
  const matches = found.data.matches.map(({ review: _, ...match }) => match)
  return saltedHashOf(salt, { ...check, data: { ...check.data, matches } })
}
