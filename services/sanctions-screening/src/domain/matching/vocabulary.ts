import { BigramIndex } from './bigram-index.ts'
import { DeletionIndex } from './deletion-index.ts'
import { hangulMark } from './fold.ts'
import { abjadWord, type ListedWords, listedWords } from './listed-words.ts'
import { attachedArticleSimilarity, wordSimilarity } from './similarity.ts'
import { phoneticKeyOf } from './spelling.ts'
import type { NameDomain } from './tokens.ts'
import { isKnown, type Word } from './word.ts'

/** Listed words similar to a query word, most similar first, in parallel arrays. */
export type SimilarWords = {
  ids: Uint32Array
  similarities: Float64Array
  /** The same as a map, for arrays too long to search quickly. */
  byId: ReadonlyMap<number, number> | null
}

const maxLinearScan = 16

export function similarWords(ids: Uint32Array, similarities: Float64Array): SimilarWords {
  if (ids.length <= maxLinearScan) return { ids, similarities, byId: null }
  const byId = new Map<number, number>()
  ids.forEach((id, i) => {
    byId.set(id, similarities[i]!)
  })
  return { ids, similarities, byId }
}

/** The similarity of a listed word; 0 when it is not in the array. */
export function similarityOf({ ids, similarities, byId }: SimilarWords, id: number): number {
  if (byId !== null) return byId.get(id) ?? 0
  const i = ids.indexOf(id)
  return i < 0 ? 0 : similarities[i]!
}

const wordsPerStep = 2_000
type WordMaps = {
  byText: Map<string, number>
  byKey: Map<string, number[]>
}

const article = /^[ae]l(?=.{4})/

/**
 * The distinct words of the listed names, with lookups by text, class, spelling key, phonetic key and similar
 * spelling.
 */
export class Vocabulary {
  readonly words: ListedWords
  readonly #domain: NameDomain
  readonly #byText: ReadonlyMap<string, number>
  readonly #byKey: ReadonlyMap<string, readonly number[]>
  readonly #bigrams: BigramIndex
  readonly #deletions: DeletionIndex
  /** The lookup in which each word was last compared, so that no word is compared twice. */
  readonly #comparedInLookup: Uint32Array
  /** The similarity from that comparison. */
  readonly #similarity: Float64Array
  #lookup = 0
  #query: Word | null = null
  #similarIds: number[] = []

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
    this.#comparedInLookup = new Uint32Array(words.size)
    this.#similarity = new Float64Array(words.size)
  }

  /** `words` must ascend by `symbols.length`. A generator, so that the caller can yield to the event loop. */
  static *build(words: readonly Word[], domain: NameDomain): Generator<void, Vocabulary> {
    const maps: WordMaps = { byText: new Map(), byKey: new Map() }
    for (const [id, word] of words.entries()) {
      if (id % wordsPerStep === 0) yield
      maps.byText.set(textKey(word), id)
      for (const key of keysOf(word, true)) append(maps.byKey, key, id)
    }
    yield
    const bigrams = new BigramIndex(words.map(({ symbols }) => symbols))
    yield
    const deletions = new DeletionIndex(words.map(({ text }) => text))
    yield
    return new Vocabulary(listedWords(words), domain, maps, bigrams, deletions)
  }

  /** Id of the word with this text, or -1. */
  idOf(word: Pick<Word, 'text' | 'script'>): number {
    return this.#byText.get(textKey(word)) ?? -1
  }

  /** Number of listed entities with the word in a name. */
  frequencyOf(word: Pick<Word, 'text' | 'script'>): number {
    const id = this.idOf(word)
    return id < 0 ? 0 : this.words.frequency[id]!
  }

  /** Every listed word that can stand for the same name part, with its similarity (`wordSimilarity`). */
  findSimilar(word: Word): SimilarWords {
    this.#query = word
    this.#lookup++
    this.#similarIds = []
    const exact = this.idOf(word)
    if (exact >= 0) this.#consider(exact)
    for (const key of keysOf(word, false)) {
      const phoneticOnly = key.startsWith('p') && word.script !== 'abjad'
      for (const id of this.#byKey.get(key) ?? [])
        if (!phoneticOnly || this.#hasSimilarLength(word, id)) this.#consider(id)
    }
    this.#deletions.visit(word.text, this.#consider)
    // A known name is not a typing error. Its variants share its class, spelling or consonants, or differ in one
    // letter.
    if (!isKnown(word)) this.#bigrams.visit(word.symbols, this.#consider)
    this.#addArticleVariants(word)
    const similarity = this.#similarity
    const ids = Uint32Array.from(this.#similarIds.sort((a, b) => similarity[b]! - similarity[a]! || a - b))
    return similarWords(
      ids,
      Float64Array.from(ids, (id) => similarity[id]!),
    )
  }

  readonly #consider = (id: number): void => {
    if (this.#comparedInLookup[id] === this.#lookup) return
    this.#comparedInLookup[id] = this.#lookup
    const value = wordSimilarity(this.#query!, this.words, id, this.#domain)
    this.#similarity[id] = value
    if (value > 0) this.#similarIds.push(id)
  }

  /** Also compares the words without an attached article: `Aldari` stands for `al-Dari`. */
  #addArticleVariants(word: Word): void {
    if (this.#domain !== 'person' || word.script !== 'latin') return
    for (const id of this.#byKey.get(`a${word.text}`) ?? []) this.#addAttached(id)
    const bare = word.text.replace(article, '')
    if (bare === word.text) return
    this.#addAttached(this.#byText.get(bare) ?? -1)
    for (const id of this.#byKey.get(`a${bare}`) ?? []) this.#addAttached(id)
  }

  #addAttached(id: number): void {
    if (id < 0) return
    const value = this.#comparedInLookup[id] === this.#lookup ? this.#similarity[id]! : 0
    if (value >= attachedArticleSimilarity) return
    if (value === 0) this.#similarIds.push(id)
    this.#comparedInLookup[id] = this.#lookup
    this.#similarity[id] = attachedArticleSimilarity
  }

  /** Words that share only the phonetic key must have a similar length, unless a script does not write vowels. */
  #hasSimilarLength(word: Word, id: number): boolean {
    const { flags, symbolsAt } = this.words
    if ((flags[id]! & abjadWord) !== 0) return true
    return Math.abs(symbolsAt[id + 1]! - symbolsAt[id]! - word.symbols.length) <= 2
  }
}

function textKey({ text, script }: Pick<Word, 'text' | 'script'>): string {
  return script === 'hangul' ? hangulMark + text : text
}

/** Lookup keys that similar words share: class (c), spelling (s), phonetic key (p, v, w), form without article (a). */
function keysOf(word: Word, listed: boolean): string[] {
  const keys = word.classes.map((id) => `c${id}`)
  keys.push(`s${word.spelled}`)
  const phoneticKey = phoneticKeyOf(word.spelled)
  if (phoneticKey.length >= 3) keys.push(`p${phoneticKey}`)
  // A short phonetic key is too common, so it only links words with written vowels to words without.
  else if (phoneticKey !== '')
    keys.push((word.script === 'abjad') === listed ? `v${phoneticKey}` : `w${phoneticKey}`)
  const bare = word.text.replace(article, '')
  if (bare !== word.text) keys.push(`a${bare}`)
  return keys
}

function append(map: Map<string, number[]>, key: string, id: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [id])
  else list.push(id)
}
