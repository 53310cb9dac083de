import { transliterations } from './transliterations.ts'

const combining = /\p{M}/gu

/** The letter's entry in the table, otherwise its base letter without diacritics, otherwise nothing. */
function transliterate(character: string): string {
  if (character >= 'A' && character <= 'Z') return character
  const listed = transliterations.get(character)
  if (listed !== undefined) return listed[0]!
  const base = character.normalize('NFD').replace(combining, '')
  return base >= 'A' && base <= 'Z' ? base : (transliterations.get(base)?.[0] ?? '')
}

/** Upper case, except for letters without a single upper-case form (the table spells ß). */
const upper = (text: string): string =>
  [...text.normalize('NFC')].map((letter) => (letter === 'ß' ? letter : letter.toUpperCase())).join('')

/**
 * A name as the MRZ spells it: A to Z, words separated by one `<` (ICAO 9303-3 sections 4.6 and 6). Removes apostrophes
 * and full stops; hyphens, commas and spaces separate words; national characters follow the recommended
 * transliteration. Removes characters without one.
 */
export function toMrzName(name: string): string {
  let out = ''
  for (const character of upper(name)) {
    if (/[\s,\-\u2010-\u2015<_/]/u.test(character)) {
      if (out.length > 0 && !out.endsWith('<')) out += '<'
    } else out += transliterate(character)
  }
  return out.endsWith('<') ? out.slice(0, -1) : out
}

/** Every spelling of one character that issuers use: the recommended one, its alternatives, the base letter. */
function spellings(character: string): readonly string[] {
  if (character >= 'A' && character <= 'Z') return [character]
  const listed = transliterations.get(character)
  const base = character.normalize('NFD').replace(combining, '')
  const plain = base >= 'A' && base <= 'Z' ? [base] : []
  return listed === undefined
    ? plain.length > 0
      ? plain
      : [transliterate(character)]
    : [...listed, ...plain]
}

/**
 * True when a printed name and a name of the MRZ are the same under any transliteration of 9303-3 section 6 (Ü as UE,
 * UXX or U). Words must be in the same order; with `truncated`, the MRZ name may end early, because 9303-3 section 4.6
 * truncates long names. Takes time proportional to at most the product of the two lengths.
 */
export function isSameMrzName(printed: string, mrzName: string, truncated = false): boolean {
  const wanted = toMrzName(mrzName).replaceAll('<', '')
  if (wanted.length === 0) return toMrzName(printed).length === 0
  let ends = new Set([0])
  for (const character of upper(printed)) {
    const next = new Set<number>()
    for (const spelling of spellings(character)) {
      for (const end of ends) {
        if (wanted.startsWith(spelling, end)) next.add(end + spelling.length)
        else if (truncated && spelling.startsWith(wanted.slice(end))) next.add(wanted.length)
      }
    }
    if (next.size === 0) return false
    if (truncated && next.has(wanted.length)) return true
    ends = next
  }
  return ends.has(wanted.length)
}
