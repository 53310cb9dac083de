/**
 * The words of a name as a search index keeps them: upper case, without accents, punctuation or order. A word that an
 * MRZ would write in another way (`Ü` as `UE`) is there in both, so that either form finds the other.
 */
export function nameWords(name: string): string[] {
  return [...new Set(wordGroups(name, 16).flat())]
}

/** The same for a query: each group is one word in all its forms, at most `most` words. */
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
 * How `session` and the console hash a word alike: the purpose of the vault's keyed hash, and how many of its bytes are
 * kept. Words are few: half tells them apart.
 */
export const nameHash = { purpose: 'session.name', bytes: 16 } as const

/** The letters that ICAO Doc 9303 part 3, section 6 writes with two. */
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
