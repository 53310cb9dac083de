import { randomInt } from 'node:crypto'

/** Without letters and digits that are taken for one another. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
export const recoveryCodeCount = 10

/** Ten codes of 16 characters, 78 random bits each, in groups of four. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: 4 }, () =>
      Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    ).join('-'),
  )

/** A code as somebody may type it, in the form that is hashed; null when it cannot be one. */
export function normalizeRecoveryCode(text: string): string | null {
  const plain = text.toUpperCase().replace(/[\s-]/g, '')
  return plain.length === 16 ? plain : null
}
