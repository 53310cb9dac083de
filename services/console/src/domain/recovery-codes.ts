import { randomInt } from 'node:crypto'

/** Excludes letters and digits that are easily confused. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
export const recoveryCodeCount = 10

/** Ten codes of 16 characters, 78 random bits each, in groups of four. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: 4 }, () =>
      Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    ).join('-'),
  )

/** Normalises typed input to the form that is hashed; null if it cannot be a code. */
export function normalizeRecoveryCode(text: string): string | null {
  const plain = text.toUpperCase().replace(/[\s-]/g, '')
  return plain.length === 16 ? plain : null
}
