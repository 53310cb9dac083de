import { isKnown, type Word } from './word.ts'

/** Properties of a listed word, one bit each, so that a comparison reads one byte first. */
export const hangulWord = 1
export const hanWord = 2
export const abjadWord = 4
export const patronymicWord = 8
export const feminineWord = 16
/** The word is in the table of name classes. */
export const classedWord = 32
/** The word is in that table, or several listed entities have it in a name. */
export const knownWord = 64

/**
 * The words of an index as a structure of arrays, by word id. Thirty thousand separate objects would take several times
 * the memory and cause a cache miss per comparison.
 */
export type ListedWords = {
  size: number
  text: readonly string[]
  classes: readonly (readonly number[])[]
  /** Number of listed entities that have the word in a name. */
  frequency: Uint32Array
  flags: Uint8Array
  /** Encoded spelling of word `w` at symbolsAt[w] to symbolsAt[w + 1]; the first stemLength[w] symbols are the stem. */
  symbols: Uint8Array
  symbolsAt: Uint32Array
  stemLength: Uint16Array
  /** Encoded text of word `w` at lettersAt[w] to lettersAt[w + 1]. */
  letters: Uint8Array
  lettersAt: Uint32Array
}

export function listedWords(words: readonly Word[]): ListedWords {
  const symbols = concatenated(words.map((word) => word.symbols))
  const letters = concatenated(words.map((word) => word.letters))
  return {
    size: words.length,
    text: words.map(({ text }) => text),
    classes: words.map(({ classes }) => classes),
    frequency: Uint32Array.from(words, ({ frequency }) => frequency),
    flags: Uint8Array.from(words, flagsOf),
    symbols: symbols.bytes,
    symbolsAt: symbols.offsets,
    stemLength: Uint16Array.from(words, ({ stemLength }) => stemLength),
    letters: letters.bytes,
    lettersAt: letters.offsets,
  }
}

function flagsOf(word: Word): number {
  return (
    (word.script === 'hangul' ? hangulWord : 0) |
    (word.script === 'han' ? hanWord : 0) |
    (word.script === 'abjad' ? abjadWord : 0) |
    (word.ending === 'patronymic' ? patronymicWord : 0) |
    (word.ending === 'feminine' ? feminineWord : 0) |
    (word.classes.length > 0 ? classedWord : 0) |
    (isKnown(word) ? knownWord : 0)
  )
}

function concatenated(parts: readonly Uint8Array[]): { bytes: Uint8Array; offsets: Uint32Array } {
  const offsets = new Uint32Array(parts.length + 1)
  parts.forEach((part, position) => {
    offsets[position + 1] = offsets[position]! + part.length
  })
  const bytes = new Uint8Array(offsets[parts.length]!)
  parts.forEach((part, position) => {
    bytes.set(part, offsets[position]!)
  })
  return { bytes, offsets }
}
