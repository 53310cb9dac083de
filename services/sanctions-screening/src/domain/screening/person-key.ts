import type { Identity } from '@kyc/common'
import { foldText } from '../matching/fold.ts'

/**
 * What makes two sessions the same person for a remembered review: the folded name, whatever the order of its words,
 * and the birth date. Personal: only its keyed hash may be kept. Null without a name.
 */
export function personKey({
  full_name,
  date_of_birth,
}: Pick<Identity, 'full_name' | 'date_of_birth'>): string | null {
  const words = foldText(full_name ?? '').match(/[\p{L}\p{N}]+/gu)
  if (words === null) return null
  return JSON.stringify([words.sort(), date_of_birth])
}
