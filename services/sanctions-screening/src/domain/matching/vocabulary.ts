import { BigramIndex } from './bigram-index.ts'
import { DeletionIndex } from './deletion-index.ts'
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

const wordsInStep = 2_000
interface WordMaps {
  byText: Map<string, number>
  byKey: Map<string, number[]>
}

const article = /^[ae]l(?=.{4})/

/** The distinct words of the listed names, found by letters, class, spelling key, phonetic key, and by near spellings. */
export class Vocabulary {
  readonly words: readonly Word[]
  readonly #domain: NameDomain
  readonly #byText: ReadonlyMap<string, number>
  readonly #byKey: ReadonlyMap<string, readonly number[]>
  readonly #bigrams: BigramIndex
  readonly #deletions: DeletionIndex
  /** In which round a word was last compared, so that none is compared twice. */
  readonly #comparedIn: Uint32Array
  #round = 0

  private constructor(
    words: readonly Word[],
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
    this.#comparedIn = new Uint32Array(words.length)
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
    return new Vocabulary(words, domain, maps, bigrams, deletions)
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
      if (this.#comparedIn[id] === this.#round) return
      this.#comparedIn[id] = this.#round
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
    if (!isKnown(word)) this.#bigrams.visit(word.symbols, consider)
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
