import { countBits, soundsOf, symbolCount } from './edit-distance.ts'

const longestIndexed = 40

/**
 * Words that share most bigrams of their spelling with another. Ids ascend with the length of the spelling, so a length
 * range is an id range in every posting list.
 */
export class BigramIndex {
  readonly #lengthStart = new Uint32Array(longestIndexed + 2)
  readonly #start = new Uint32Array(symbolCount * symbolCount + 1)
  readonly #word: Uint32Array
  /** Consonants of each word (`soundsOf`). */
  readonly #sounds: Int32Array
  readonly #counts: Uint8Array
  readonly #touched: Uint32Array

  /** `spellings[id]`, encoded, ascending by length. */
  constructor(spellings: readonly Uint8Array[]) {
    this.#counts = new Uint8Array(spellings.length)
    this.#touched = new Uint32Array(spellings.length)
    this.#sounds = Int32Array.from(spellings, soundsOf)
    let id = 0
    for (let length = 0; length <= longestIndexed; length++) {
      this.#lengthStart[length] = id
      while (id < spellings.length && spellings[id]!.length <= length) id++
    }
    this.#lengthStart[longestIndexed + 1] = spellings.length
    for (const spelling of spellings) for (const code of bigramsOf(spelling)) this.#start[code + 1]! += 1
    for (let at = 1; at < this.#start.length; at++) this.#start[at]! += this.#start[at - 1]!
    const next = this.#start.slice()
    this.#word = new Uint32Array(this.#start[this.#start.length - 1]!)
    spellings.forEach((spelling, word) => {
      for (const code of bigramsOf(spelling)) {
        this.#word[next[code]!] = word
        next[code]! += 1
      }
    })
  }

  /** Calls `consider` once with each word of about this length that has nearly the same bigrams and consonants. */
  visit(spelling: Uint8Array, consider: (id: number) => void): void {
    const length = spelling.length
    if (length < 3) return
    const spread = length < 5 ? 1 : length < 11 ? 2 : 3
    const from = this.#lengthStart[Math.min(Math.max(length - spread, 0), longestIndexed)]!
    const to = this.#lengthStart[Math.min(length + spread, longestIndexed) + 1]!
    const least = length < 5 ? 2 : length < 8 ? length - 2 : length < 11 ? length - 3 : length - 4
    const differing = length < 9 ? 2 : 3
    const sounds = soundsOf(spelling)
    let touched = 0
    for (const code of bigramsOf(spelling)) {
      const end = this.#start[code + 1]!
      for (let at = lowerBound(this.#word, this.#start[code]!, end, from); at < end; at++) {
        const id = this.#word[at]!
        if (id >= to) break
        if (this.#counts[id] === 0) this.#touched[touched++] = id
        this.#counts[id]! += 1
      }
    }
    for (let at = 0; at < touched; at++) {
      const id = this.#touched[at]!
      if (this.#counts[id]! >= least && countBits(sounds ^ this.#sounds[id]!) <= differing) consider(id)
      this.#counts[id] = 0
    }
  }
}

/** Bigrams of the spelling with its two ends (symbol 0). */
function bigramsOf(symbols: Uint8Array): number[] {
  const codes: number[] = []
  let before = 0
  for (const symbol of symbols) {
    codes.push(before * symbolCount + symbol)
    before = symbol
  }
  codes.push(before * symbolCount)
  return codes
}

/** First position in [from, to) of ascending `values` whose value is at least `least`. */
function lowerBound(values: Uint32Array, from: number, to: number, least: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}
