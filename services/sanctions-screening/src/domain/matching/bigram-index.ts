import { consonantGroupsOf, countBits, symbolCount } from './edit-distance.ts'

const maxIndexedLength = 40

/**
 * Finds words that share most bigrams of their spelling with a query word. Word ids ascend with the length of the
 * spelling, so a length range is an id range in every posting list.
 */
export class BigramIndex {
  readonly #lengthStart = new Uint32Array(maxIndexedLength + 2)
  /** Posting lists: the words with bigram `code`, each once and ascending, are at postingStart[code] to postingStart[code + 1]. */
  readonly #postingStart = new Uint32Array(symbolCount * symbolCount + 1)
  readonly #postingWord: Uint32Array
  /** The distinct bigrams of word `id` are at codeStart[id] to codeStart[id + 1]. */
  readonly #codeStart: Uint32Array
  readonly #codes: Uint16Array
  /** The consonant groups of each word (`consonantGroupsOf`). */
  readonly #consonants: Int32Array
  /** Count of each bigram in the current query word. Cleared after each visit. */
  readonly #queryCounts = new Uint8Array(symbolCount * symbolCount)

  /** `spellings[id]` is the encoded spelling of word `id`; lengths ascend. */
  constructor(spellings: readonly Uint8Array[]) {
    this.#consonants = Int32Array.from(spellings, consonantGroupsOf)
    let id = 0
    for (let length = 0; length <= maxIndexedLength; length++) {
      this.#lengthStart[length] = id
      while (id < spellings.length && spellings[id]!.length <= length) id++
    }
    this.#lengthStart[maxIndexedLength + 1] = spellings.length
    this.#codeStart = new Uint32Array(spellings.length + 1)
    const bigrams = spellings.map((spelling) => new Set(bigramsOf(spelling)))
    bigrams.forEach((codes, word) => {
      this.#codeStart[word + 1] = this.#codeStart[word]! + codes.size
      for (const code of codes) this.#postingStart[code + 1]! += 1
    })
    for (let i = 1; i < this.#postingStart.length; i++) this.#postingStart[i]! += this.#postingStart[i - 1]!
    const next = this.#postingStart.slice()
    const total = this.#codeStart[spellings.length]!
    this.#postingWord = new Uint32Array(total)
    this.#codes = new Uint16Array(total)
    let place = 0
    bigrams.forEach((codes, word) => {
      for (const code of codes) {
        this.#codes[place++] = code
        this.#postingWord[next[code]!] = word
        next[code]! += 1
      }
    })
  }

  /**
   * Calls `onCandidate` with each word of similar length that shares most bigrams and consonants; a word can be
   * passed more than once. Prefix filtering: a word that shares at least `minShared` bigrams also shares one of any
   * subset that omits fewer than `minShared` of them, so the posting lists of the most frequent bigrams are skipped.
   */
  visit(spelling: Uint8Array, onCandidate: (id: number) => void): void {
    const length = spelling.length
    if (length < 3) return
    const maxLengthDifference = length < 5 ? 1 : length < 11 ? 2 : 3
    const firstId = this.#lengthStart[Math.min(Math.max(length - maxLengthDifference, 0), maxIndexedLength)]!
    const endId = this.#lengthStart[Math.min(length + maxLengthDifference, maxIndexedLength) + 1]!
    const minShared = length < 5 ? 2 : length < 8 ? length - 2 : length < 11 ? length - 3 : length - 4
    const maxConsonantDifference = length < 9 ? 2 : 3
    const consonants = consonantGroupsOf(spelling)
    const codes = bigramsOf(spelling)
    for (const code of codes) this.#queryCounts[code]! += 1
    // Equal bigrams are adjacent after sorting, and are skipped together.
    codes.sort((a, b) => this.#frequency(b) - this.#frequency(a) || a - b)
    let first = minShared - 1
    while (first > 0 && codes[first] === codes[first - 1]) first--
    for (let position = first; position < codes.length; position++) {
      const code = codes[position]!
      if (position > first && code === codes[position - 1]) continue
      const end = this.#postingStart[code + 1]!
      for (let i = lowerBound(this.#postingWord, this.#postingStart[code]!, end, firstId); i < end; i++) {
        const id = this.#postingWord[i]!
        if (id >= endId) break
        if (
          countBits(consonants ^ this.#consonants[id]!) <= maxConsonantDifference &&
          this.#sharedCount(id) >= minShared
        )
          onCandidate(id)
      }
    }
    for (const code of codes) this.#queryCounts[code] = 0
  }

  #frequency(code: number): number {
    return this.#postingStart[code + 1]! - this.#postingStart[code]!
  }

  /** Number of bigrams that the word shares with the current query word. */
  #sharedCount(id: number): number {
    let shared = 0
    for (let i = this.#codeStart[id]!; i < this.#codeStart[id + 1]!; i++)
      shared += this.#queryCounts[this.#codes[i]!]!
    return shared
  }
}

/** Bigrams of the spelling, padded with symbol 0 at both ends. */
function bigramsOf(symbols: Uint8Array): number[] {
  const codes: number[] = []
  let previous = 0
  for (const symbol of symbols) {
    codes.push(previous * symbolCount + symbol)
    previous = symbol
  }
  codes.push(previous * symbolCount)
  return codes
}

/** First position in [from, to) of ascending `values` whose value is at least `least`. */
function lowerBound(values: Uint32Array, from: number, to: number, minimum: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < minimum) low = middle + 1
    else high = middle
  }
  return low
}
