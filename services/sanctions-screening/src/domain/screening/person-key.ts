import type { Identity } from '@kyc/common'
import { foldText } from '../matching/fold.ts'

/**
 * Two sessions with the same key are treated as the same person when a reviewer's verdict is reused: the words of the
 * name, folded and in any order, and the birth date. The key is personal data, so only its keyed hash may be stored.
 * Null without a name.
 */
export function personKey({
  full_name,
  date_of_birth,
}: Pick<Identity, 'full_name' | 'date_of_birth'>): string | null {
  const words = foldText(full_name ?? '').match(/[\p{L}\p{N}]+/gu)
  if (words === null) return null
  return JSON.stringify([words.sort(), date_of_birth])
}
