/**
 * The words of a name as indexed for search: upper case, without accents, punctuation or order. A word that an MRZ
 * spells differently (`Ü` as `UE`) is indexed in both forms, so that either form matches the other.
 */
export function nameWords(name: string): string[] {
  return [...new Set(wordGroups(name, 16).flat())]
}

/** The words of a query: each group holds all forms of one word, at most `most` groups. */
export function wordGroups(name: string, most = 8): string[][] {
  return name
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}'’]+/u)
    .map((word) => [...new Set([plain(word), plain(transliterated(word))])].filter((form) => form !== ''))
    .filter((forms) => forms.length > 0)
    .slice(0, most)
}

const plain = (word: string): string =>
  word
    .replace(/['’]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/Ø/g, 'O')
    .replace(/Ł/g, 'L')
    .replace(/Đ/g, 'D')

/**
 * The shared parameters with which `session` and the console hash a word: the purpose of the vault's keyed hash, and
 * how many of its bytes are stored. Half of the hash is enough to distinguish words, because there are few.
 */
export const nameHash = { purpose: 'session.name', bytes: 16 } as const

/** The letters that ICAO Doc 9303 part 3, section 6 transliterates with two letters. */
const twoLetters: Readonly<Record<string, string>> = {
  Ä: 'AE',
  Æ: 'AE',
  Å: 'AA',
  Ö: 'OE',
  Ø: 'OE',
  Œ: 'OE',
  Ü: 'UE',
  ẞ: 'SS',
  Þ: 'TH',
  Ĳ: 'IJ',
}
const transliterated = (word: string): string =>
  [...word.toUpperCase()].map((letter) => twoLetters[letter] ?? letter).join('')
