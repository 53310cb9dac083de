const combining = /\p{M}/gu

/** The words of a name in upper-case ASCII letters; titles and punctuation carry none. */
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
 * Whether a PAN's fifth character is the initial that the name calls for: the surname's for an individual, which is the
 * last word, or the only one; the first word's for an entity.
 *
 * Null when the name has no letters to compare, and when a person's name ends in initials: then either the initial or a
 * word before it may have been registered as the surname, and only a letter of neither is a mismatch.
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
