const combining = /\p{M}/gu

/** The words of a name in upper-case ASCII letters, without titles and punctuation. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(combining, '')
    .toUpperCase()
    .replace(/['’.]/gu, ' ')
    .split(/[^A-Z]+/u)
    .filter((word) => word.length > 0)
}

/**
 * Whether a PAN's fifth character is the expected initial: for an individual that of the surname, which is the last or
 * only word; for an entity that of the first word.
 *
 * Null when the name has no letters to compare, and when a person's name ends in initials. In the latter case either
 * the initial or a preceding word may be registered as the surname, so only a letter that matches neither is a
 * mismatch.
 */
export function compareNameInitial(initial: string, name: string, individual: boolean): boolean | null {
  const words = wordsOf(name)
  const [first] = words
  const last = words.at(-1)
  if (first === undefined || last === undefined) return null
  if (!individual) return first.startsWith(initial)
  if (last.startsWith(initial)) return true
  const endsInInitial = words.length > 1 && last.length === 1
  return endsInInitial && words.some((word) => word.startsWith(initial)) ? null : false
}
