import { DeletionIndex } from './deletionIndex.ts'
import { countBits, soundsOf, symbolCount } from './editDistance.ts'
import { hangulMark } from './fold.ts'
import { attachedArticle, isKnown, type Word, wordSimilarity } from './similarity.ts'
import { skeletonOf } from './spelling.ts'
import type { NameDomain } from './tokens.ts'

/** Listed words alike to a word of a query, best first; parallel arrays. */
export interface SimilarWords {
  ids: Uint32Array
  values: Float32Array
  valueOf: ReadonlyMap<number, number>
}

const longestIndexed = 40
const article = /^[ae]l(?=.{4})/

/**
 * The distinct words of the listed names, found by letters, class, spelling key, phonetic key, and by the bigrams of
 * the spelling. Ids ascend with the length of the spelling, so a length range is an id range in every posting list.
 */
export class Vocabulary {
  readonly words: readonly Word[]
  readonly #domain: NameDomain
  readonly #byText = new Map<string, number>()
  readonly #byKey = new Map<string, number[]>()
  readonly #lengthStart = new Uint32Array(longestIndexed + 2)
  readonly #bigramStart = new Uint32Array(symbolCount * symbolCount + 1)
  readonly #bigramWord: Uint32Array
  readonly #deletions: DeletionIndex
  readonly #counts: Uint8Array
  readonly #touched: Uint32Array
  readonly #consideredIn: Uint32Array
  readonly #sounds: Int32Array
  #round = 0

  /** `words` ascend by `symbols.length`. */
  constructor(words: readonly Word[], domain: NameDomain) {
    this.words = words
    this.#domain = domain
    this.#counts = new Uint8Array(words.length)
    this.#touched = new Uint32Array(words.length)
    this.#consideredIn = new Uint32Array(words.length)
    this.#sounds = Int32Array.from(words, ({ symbols }) => soundsOf(symbols))
    words.forEach((word, id) => {
      this.#byText.set(textKey(word), id)
      for (const key of keysOf(word, true)) push(this.#byKey, key, id)
    })
    let id = 0
    for (let length = 0; length <= longestIndexed; length++) {
      this.#lengthStart[length] = id
      while (id < words.length && words[id]!.symbols.length <= length) id++
    }
    this.#lengthStart[longestIndexed + 1] = words.length
    this.#bigramWord = this.#indexBigrams()
    this.#deletions = new DeletionIndex(words.map(({ text }) => text))
  }

  #indexBigrams(): Uint32Array {
    for (const { symbols } of this.words) {
      for (const code of bigramsOf(symbols)) this.#bigramStart[code + 1]! += 1
    }
    for (let at = 1; at < this.#bigramStart.length; at++) this.#bigramStart[at]! += this.#bigramStart[at - 1]!
    const next = this.#bigramStart.slice()
    const wordOfPosting = new Uint32Array(this.#bigramStart[this.#bigramStart.length - 1]!)
    this.words.forEach(({ symbols }, id) => {
      for (const code of bigramsOf(symbols)) {
        wordOfPosting[next[code]!] = id
        next[code]! += 1
      }
    })
    return wordOfPosting
  }

  /** Id of the word with these letters, or -1. */
  idOf(word: Pick<Word, 'text' | 'script'>): number {
    return this.#byText.get(textKey(word)) ?? -1
  }

  /** How many listed entities bear the word, 0 when none. */
  frequencyOf(word: Pick<Word, 'text' | 'script'>): number {
    const id = this.idOf(word)
    return id < 0 ? 0 : this.words[id]!.frequency
  }

  /** Every listed word that may stand for the same name part, with how alike it is (`wordSimilarity`). */
  similarTo(word: Word): SimilarWords {
    const found = new Map<number, number>()
    this.#round++
    const consider = (id: number) => {
      if (this.#consideredIn[id] === this.#round) return
      this.#consideredIn[id] = this.#round
      const value = wordSimilarity(word, this.words[id]!, this.#domain)
      if (value > 0) found.set(id, value)
    }
    const exact = this.idOf(word)
    if (exact >= 0) consider(exact)
    for (const key of keysOf(word, false)) {
      for (const id of this.#byKey.get(key) ?? []) if (this.#maySound(word, id, key)) consider(id)
    }
    this.#deletions.visit(word.text, consider)
    // A known name is no typing error: its variants share its class, spelling, consonants or all letters but one.
    if (!isKnown(word)) this.#considerBigrams(word, consider)
    this.#withArticle(word, found)
    const kept = [...found].sort((a, b) => b[1] - a[1] || a[0] - b[0])
    return {
      ids: Uint32Array.from(kept, ([id]) => id),
      values: Float32Array.from(kept, ([, value]) => value),
      valueOf: new Map(kept),
    }
  }

  /** `Aldari` is written for `al-Dari`: the words compare without the article too. */
  #withArticle(word: Word, found: Map<number, number>): void {
    if (this.#domain !== 'person' || word.script !== 'latin') return
    const bare = word.text.replace(article, '')
    const ids = [...(this.#byKey.get(`a${word.text}`) ?? [])]
    if (bare !== word.text) ids.push(this.#byText.get(bare) ?? -1, ...(this.#byKey.get(`a${bare}`) ?? []))
    for (const id of ids)
      if (id >= 0 && (found.get(id) ?? 0) < attachedArticle) found.set(id, attachedArticle)
  }

  /** Words that share only the phonetic key must be about as long, where both write their vowels. */
  #maySound(word: Word, id: number, key: string): boolean {
    if (!key.startsWith('p') || word.script === 'abjad') return true
    const other = this.words[id]!
    return other.script === 'abjad' || Math.abs(other.symbols.length - word.symbols.length) <= 2
  }

  #considerBigrams(word: Word, consider: (id: number) => void): void {
    const length = word.symbols.length
    if (length < 3) return
    const spread = length < 5 ? 1 : length < 11 ? 2 : 3
    const from = this.#lengthStart[Math.min(Math.max(length - spread, 0), longestIndexed)]!
    const to = this.#lengthStart[Math.min(length + spread, longestIndexed) + 1]!
    const least = length < 5 ? 2 : length < 8 ? length - 2 : length < 11 ? length - 3 : length - 4
    const differing = length < 9 ? 2 : 3
    const sounds = soundsOf(word.symbols)
    let touched = 0
    for (const code of bigramsOf(word.symbols)) {
      const end = this.#bigramStart[code + 1]!
      for (let at = lowerBound(this.#bigramWord, this.#bigramStart[code]!, end, from); at < end; at++) {
        const id = this.#bigramWord[at]!
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

function textKey({ text, script }: Pick<Word, 'text' | 'script'>): string {
  return script === 'hangul' ? hangulMark + text : text
}

/** Keys under which alike words meet: class, spelling, phonetic key, and the bare form of a word with an article. */
function keysOf(word: Word, listed: boolean): string[] {
  const keys = word.classes.map((id) => `c${id}`)
  keys.push(`s${word.spelled}`)
  const skeleton = skeletonOf(word.spelled)
  if (skeleton.length >= 3) keys.push(`p${skeleton}`)
  // Without vowels a short word has little else: it meets the words of the other kind of script.
  else if (skeleton !== '') keys.push((word.script === 'abjad') === listed ? `v${skeleton}` : `w${skeleton}`)
  const bare = word.text.replace(article, '')
  if (bare !== word.text) keys.push(`a${bare}`)
  return keys
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

function push(map: Map<string, number[]>, key: string, id: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [id])
  else list.push(id)
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
