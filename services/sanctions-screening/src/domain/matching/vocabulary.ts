import { BigramIndex } from './bigram-index.ts'
import { DeletionIndex } from './deletion-index.ts'
import { hangulMark } from './fold.ts'
import { abjadWord, type ListedWords, listedWords } from './listed-words.ts'
import { attachedArticle, wordSimilarity } from './similarity.ts'
import { skeletonOf } from './spelling.ts'
import type { NameDomain } from './tokens.ts'
import { isKnown, type Word } from './word.ts'

/** Listed words alike to a word of a query, best first; parallel arrays. */
export interface SimilarWords {
  ids: Uint32Array
  values: Float64Array
  /** The same, where a look through the array would take longer. */
  byId: ReadonlyMap<number, number> | null
}

const mostLookedThrough = 16

export function similarWords(ids: Uint32Array, values: Float64Array): SimilarWords {
  if (ids.length <= mostLookedThrough) return { ids, values, byId: null }
  const byId = new Map<number, number>()
  ids.forEach((id, at) => {
    byId.set(id, values[at]!)
  })
  return { ids, values, byId }
}

/** How alike the listed word is, 0 when it is none of these. */
export function likenessOf({ ids, values, byId }: SimilarWords, id: number): number {
  if (byId !== null) return byId.get(id) ?? 0
  const at = ids.indexOf(id)
  return at < 0 ? 0 : values[at]!
}

const wordsInStep = 2_000
interface WordMaps {
  byText: Map<string, number>
  byKey: Map<string, number[]>
}

const article = /^[ae]l(?=.{4})/

/** The distinct words of the listed names, found by letters, class, spelling key, phonetic key, and by near spellings. */
export class Vocabulary {
  readonly words: ListedWords
  readonly #domain: NameDomain
  readonly #byText: ReadonlyMap<string, number>
  readonly #byKey: ReadonlyMap<string, readonly number[]>
  readonly #bigrams: BigramIndex
  readonly #deletions: DeletionIndex
  /** In which round a word was last compared, so that none is compared twice. */
  readonly #comparedIn: Uint32Array
  /** What came of it. */
  readonly #likeness: Float64Array
  #round = 0
  #asked: Word | null = null
  #found: number[] = []

  private constructor(
    words: ListedWords,
    domain: NameDomain,
    maps: WordMaps,
    bigrams: BigramIndex,
    deletions: DeletionIndex,
  ) {
    this.words = words
    this.#domain = domain
    this.#byText = maps.byText
    this.#byKey = maps.byKey
    this.#bigrams = bigrams
    this.#deletions = deletions
    this.#comparedIn = new Uint32Array(words.size)
    this.#likeness = new Float64Array(words.size)
  }

  /** `words` ascend by `symbols.length`. A generator, so that the caller may pause. */
  static *build(words: readonly Word[], domain: NameDomain): Generator<void, Vocabulary> {
    const maps: WordMaps = { byText: new Map(), byKey: new Map() }
    for (const [id, word] of words.entries()) {
      if (id % wordsInStep === 0) yield
      maps.byText.set(textKey(word), id)
      for (const key of keysOf(word, true)) push(maps.byKey, key, id)
    }
    yield
    const bigrams = new BigramIndex(words.map(({ symbols }) => symbols))
    yield
    const deletions = new DeletionIndex(words.map(({ text }) => text))
    yield
    return new Vocabulary(listedWords(words), domain, maps, bigrams, deletions)
  }

  /** Id of the word with these letters, or -1. */
  idOf(word: Pick<Word, 'text' | 'script'>): number {
    return this.#byText.get(textKey(word)) ?? -1
  }

  /** How many listed entities bear the word, 0 when none. */
  frequencyOf(word: Pick<Word, 'text' | 'script'>): number {
    const id = this.idOf(word)
    return id < 0 ? 0 : this.words.frequency[id]!
  }

  /** Every listed word that may stand for the same name part, with how alike it is (`wordSimilarity`). */
  similarTo(word: Word): SimilarWords {
    this.#asked = word
    this.#round++
    this.#found = []
    const exact = this.idOf(word)
    if (exact >= 0) this.#consider(exact)
    for (const key of keysOf(word, false)) {
      const sounds = key.startsWith('p') && word.script !== 'abjad'
      for (const id of this.#byKey.get(key) ?? [])
        if (!sounds || this.#isAboutAsLong(word, id)) this.#consider(id)
    }
    this.#deletions.visit(word.text, this.#consider)
    // A known name is no typing error: its variants share its class, spelling, consonants or all letters but one.
    if (!isKnown(word)) this.#bigrams.visit(word.symbols, this.#consider)
    this.#withArticle(word)
    const likeness = this.#likeness
    const ids = Uint32Array.from(this.#found.sort((a, b) => likeness[b]! - likeness[a]! || a - b))
    return similarWords(
      ids,
      Float64Array.from(ids, (id) => likeness[id]!),
    )
  }

  readonly #consider = (id: number): void => {
    if (this.#comparedIn[id] === this.#round) return
    this.#comparedIn[id] = this.#round
    const value = wordSimilarity(this.#asked!, this.words, id, this.#domain)
    this.#likeness[id] = value
    if (value > 0) this.#found.push(id)
  }

  /** `Aldari` is written for `al-Dari`: the words compare without the article too. */
  #withArticle(word: Word): void {
    if (this.#domain !== 'person' || word.script !== 'latin') return
    for (const id of this.#byKey.get(`a${word.text}`) ?? []) this.#attach(id)
    const bare = word.text.replace(article, '')
    if (bare === word.text) return
    this.#attach(this.#byText.get(bare) ?? -1)
    for (const id of this.#byKey.get(`a${bare}`) ?? []) this.#attach(id)
  }

  #attach(id: number): void {
    if (id < 0) return
    const value = this.#comparedIn[id] === this.#round ? this.#likeness[id]! : 0
    if (value >= attachedArticle) return
    if (value === 0) this.#found.push(id)
    this.#comparedIn[id] = this.#round
    this.#likeness[id] = attachedArticle
  }

  /** Words that share only the phonetic key must be about as long, where both write their vowels. */
  #isAboutAsLong(word: Word, id: number): boolean {
    const { flags, symbolsAt } = this.words
    if ((flags[id]! & abjadWord) !== 0) return true
    return Math.abs(symbolsAt[id + 1]! - symbolsAt[id]! - word.symbols.length) <= 2
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

function push(map: Map<string, number[]>, key: string, id: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [id])
  else list.push(id)
}
