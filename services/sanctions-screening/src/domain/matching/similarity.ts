import { editDistance, leastInsertion, substitutionCost } from './edit-distance.ts'
import { type ClassRelation, relationOf } from './name-classes.ts'
import type { NameDomain, TokenScript } from './tokens.ts'

/** A word with what comparing it needs, computed once. */
export interface Word {
  text: string
  spelled: string
  /** `spelled` without the ending of a patronymic or of a feminine family name. */
  stem: Uint8Array
  symbols: Uint8Array
  /** `text`, encoded. */
  letters: Uint8Array
  ending: WordEnding
  classes: readonly number[]
  script: TokenScript
  /** How many listed names hold it or its like; a word that many bear is no typing error of another. */
  frequency: number
}

export type WordEnding = 'none' | 'patronymic' | 'feminine'

const relationValue: Readonly<Record<ClassRelation, number>> = {
  spelling: 0.97,
  cognate: 0.7,
  nickname: 0.88,
}

export const equalSpelling = 0.96
export const attachedArticle = 0.97
const feminineForm = 0.92
/** Below this two words are not the same name. */
const least = 0.78
/** Edits weigh more than their share of the letters: two half-like words are not one like word. */
const steepness = 1.3
/** An equal patronymic ending counts as this many equal letters. */
const sharedEnding = 2
/** A four-letter name with a consonant changed is another name. */
const shortLimit = 0.6
/** Typing errors spare the first letter. */
const firstLetterCost = 0.35
/** Two words that are both known names, of different classes or both borne by many, must be closer than typing errors. */
const knownNamesLeast = 0.94
const attestedFrequency = 3

/**
 * How alike two words of a name are, 0 (different names) to 1 (equal). Transliteration variants are above 0.9,
 * typing errors between 0.65 and 0.95.
 */
export function wordSimilarity(query: Word, listed: Word, domain: NameDomain): number {
  if (query.text === listed.text) return 1
  // Two Hangul spellings are exact: their romanisations vary, they do not.
  if (query.script === 'hangul' && listed.script === 'hangul') return 0
  const relation = relationOf(query.classes, listed.classes, domain)
  if (relation === 'spelling') return relationValue.spelling
  const edited = editSimilarity(query, listed)
  return relation === null ? edited : Math.max(edited, relationValue[relation])
}

function editSimilarity(query: Word, listed: Word): number {
  if (query.spelled === listed.spelled) return equalSpelling
  if (isSyllable(query) || isSyllable(listed)) return 0
  const near = Math.max(spellingSimilarity(query, listed), feminineSimilarity(query, listed))
  return near > 0 ? near : typingSimilarity(query, listed)
}

function spellingSimilarity(query: Word, listed: Word): number {
  // An ending that both share is no evidence: Borisovich and Viktorovich differ in the part before it.
  const stems = query.ending === 'patronymic' && listed.ending === 'patronymic'
  const a = stems ? query.stem : query.symbols
  const b = stems ? listed.stem : listed.symbols
  const length = Math.max(a.length, b.length) + (stems ? sharedEnding : 0)
  if (Math.min(a.length, b.length) < 3) return 0
  const limit = limitFor(length, bothKnown(query, listed))
  const unwritten = (query.script === 'abjad') !== (listed.script === 'abjad')
  if (!unwritten && Math.abs(a.length - b.length) * leastInsertion > limit) return 0
  const [short, long] = query.script === 'abjad' ? [a, b] : [b, a]
  return likeness(editDistance(short, long, limit, unwritten) + firstSymbolCost(a, b), limit, length)
}

/** One typing error in the letters as they stand, where it breaks a digraph that the spelling reads as one sound. */
function typingSimilarity(query: Word, listed: Word): number {
  const length = Math.max(query.letters.length, listed.letters.length)
  const limit = Math.min(1, limitFor(length, bothKnown(query, listed)))
  if (Math.abs(query.letters.length - listed.letters.length) > 1 || limit < leastInsertion) return 0
  const distance = editDistance(query.letters, listed.letters, limit)
  return likeness(distance + firstSymbolCost(query.letters, listed.letters), limit + firstLetterCost, length)
}

/** How far two words of this length may be from each other. */
function limitFor(length: number, known: boolean): number {
  if (length < 4) return 0
  const share = length * (1 - (known ? knownNamesLeast : least))
  return length < 5 ? Math.min(share, shortLimit) : share
}

function likeness(distance: number, limit: number, length: number): number {
  return distance > limit ? 0 : Math.min(equalSpelling, 1 - steepness * (distance / length))
}

function firstSymbolCost(a: Uint8Array, b: Uint8Array): number {
  return substitutionCost(a[0]!, b[0]!) > 0.5 && a[0] !== b[1] && a[1] !== b[0] ? firstLetterCost : 0
}

/** Ivanov and Ivanova are one family name. */
function feminineSimilarity(query: Word, listed: Word): number {
  if ((query.ending === 'feminine') === (listed.ending === 'feminine')) return 0
  const a = query.ending === 'feminine' ? query.stem : query.symbols
  const b = listed.ending === 'feminine' ? listed.stem : listed.symbols
  return Math.min(a.length, b.length) >= 4 && editDistance(a, b, 0.3) <= 0.3 ? feminineForm : 0
}

function bothKnown(query: Word, listed: Word): boolean {
  return isKnown(query) && isKnown(listed)
}

/** A name of the class table, or one that several listed entities bear. */
export function isKnown({ classes, frequency }: Word): boolean {
  return classes.length > 0 || frequency >= attestedFrequency
}

/** Han and Hangul syllables are whole names or words: one sound changed makes another. */
function isSyllable({ script }: Word): boolean {
  return script === 'han' || script === 'hangul'
}
