import { editDistance, minInsertionCost, substitutionCost } from './edit-distance.ts'
import {
  abjadWord,
  classedWord,
  feminineWord,
  hangulWord,
  hanWord,
  knownWord,
  type ListedWords,
  patronymicWord,
} from './listed-words.ts'
import { type ClassRelation, relationOf } from './name-classes.ts'
import type { NameDomain } from './tokens.ts'
import { isKnown, type Word } from './word.ts'

const relationSimilarity: Readonly<Record<ClassRelation, number>> = {
  spelling: 0.97,
  cognate: 0.7,
  nickname: 0.88,
}

export const equalSpellingSimilarity = 0.96
export const attachedArticleSimilarity = 0.97
const feminineFormSimilarity = 0.92
/** Below this two words are not the same name. */
const minSimilarity = 0.78
/** Edits weigh more than their share of the letters: two half-like words are not one like word. */
const distanceSteepness = 1.3
/** An equal patronymic ending counts as this many equal letters. */
const sharedEndingLetters = 2
/** A four-letter name with a consonant changed is another name. */
const maxShortNameDistance = 0.6
/** Typing errors spare the first letter. */
const firstLetterCost = 0.35
/** Two words that are both known names, of different classes or both borne by many, must be closer than typing errors. */
const minKnownNameSimilarity = 0.94

/**
 * How alike a word of a query and a listed word are, 0 (different names) to 1 (equal). Transliteration variants are above
 * 0.9, typing errors between 0.65 and 0.95.
 */
export function wordSimilarity(query: Word, listed: ListedWords, id: number, domain: NameDomain): number {
  if (
    equalBytes(
      query.letters,
      query.letters.length,
      listed.letters,
      listed.lettersAt[id]!,
      listed.lettersAt[id + 1]!,
    )
  )
    return 1
  const flags = listed.flags[id]!
  // Two Hangul spellings are exact: their romanisations vary, they do not.
  if (query.script === 'hangul' && (flags & hangulWord) !== 0) return 0
  const relation =
    query.classes.length === 0 || (flags & classedWord) === 0
      ? null
      : relationOf(query.classes, listed.classes[id]!, domain)
  if (relation === 'spelling') return relationSimilarity.spelling
  const edited = editSimilarity(query, listed, id, flags)
  return relation === null ? edited : Math.max(edited, relationSimilarity[relation])
}

function editSimilarity(query: Word, listed: ListedWords, id: number, flags: number): number {
  const { symbols } = listed
  const from = listed.symbolsAt[id]!
  const to = listed.symbolsAt[id + 1]!
  if (equalBytes(query.symbols, query.symbols.length, symbols, from, to)) return equalSpellingSimilarity
  // Han and Hangul syllables are whole names or words: one sound changed makes another.
  if (query.script === 'han' || query.script === 'hangul' || (flags & (hanWord | hangulWord)) !== 0) return 0
  const stemTo = from + listed.stemLength[id]!
  const known = isKnown(query) && (flags & knownWord) !== 0
  const spellingBased = Math.max(
    spellingSimilarity(query, symbols, from, to, stemTo, flags, known),
    feminineSimilarity(query, symbols, from, to, stemTo, flags),
  )
  if (spellingBased > 0) return spellingBased
  return typingSimilarity(query, listed.letters, listed.lettersAt[id]!, listed.lettersAt[id + 1]!, known)
}

function spellingSimilarity(
  query: Word,
  b: Uint8Array,
  from: number,
  to: number,
  stemTo: number,
  flags: number,
  known: boolean,
): number {
  // An ending that both share is no evidence: Borisovich and Viktorovich differ in the part before it.
  const bothPatronymics = query.ending === 'patronymic' && (flags & patronymicWord) !== 0
  const a = query.symbols
  const aTo = bothPatronymics ? query.stemLength : a.length
  const bTo = bothPatronymics ? stemTo : to
  const bLength = bTo - from
  const length = Math.max(aTo, bLength) + (bothPatronymics ? sharedEndingLetters : 0)
  if (Math.min(aTo, bLength) < 3) return 0
  const limit = maxDistance(length, known)
  const vowelsUnwritten = (query.script === 'abjad') !== ((flags & abjadWord) !== 0)
  if (!vowelsUnwritten && Math.abs(aTo - bLength) * minInsertionCost > limit) return 0
  const distance =
    query.script === 'abjad'
      ? editDistance(a, 0, aTo, b, from, bTo, limit, vowelsUnwritten)
      : editDistance(b, from, bTo, a, 0, aTo, limit, vowelsUnwritten)
  if (distance > limit) return 0
  return similarityOfDistance(distance + firstSymbolCost(a, b, from), limit, length)
}

/** One typing error in the letters as they stand, where it breaks a digraph that the spelling reads as one sound. */
function typingSimilarity(
  { letters: a }: Word,
  b: Uint8Array,
  from: number,
  to: number,
  known: boolean,
): number {
  const length = Math.max(a.length, to - from)
  const limit = Math.min(1, maxDistance(length, known))
  if (Math.abs(a.length - (to - from)) > 1 || limit < minInsertionCost) return 0
  const distance = editDistance(a, 0, a.length, b, from, to, limit)
  return similarityOfDistance(distance + firstSymbolCost(a, b, from), limit + firstLetterCost, length)
}

/** How far two words of this length may be from each other. */
function maxDistance(length: number, known: boolean): number {
  if (length < 4) return 0
  const share = length * (1 - (known ? minKnownNameSimilarity : minSimilarity))
  return length < 5 ? Math.min(share, maxShortNameDistance) : share
}

function similarityOfDistance(distance: number, limit: number, length: number): number {
  return distance > limit ? 0 : Math.min(equalSpellingSimilarity, 1 - distanceSteepness * (distance / length))
}

function firstSymbolCost(a: Uint8Array, b: Uint8Array, from: number): number {
  return substitutionCost(a[0]!, b[from]!) > 0.5 && a[0] !== b[from + 1] && a[1] !== b[from]
    ? firstLetterCost
    : 0
}

/** Ivanov and Ivanova are one family name. */
function feminineSimilarity(
  query: Word,
  b: Uint8Array,
  from: number,
  to: number,
  stemTo: number,
  flags: number,
): number {
  const feminine = (flags & feminineWord) !== 0
  if ((query.ending === 'feminine') === feminine) return 0
  const aTo = query.ending === 'feminine' ? query.stemLength : query.symbols.length
  const bTo = feminine ? stemTo : to
  if (Math.min(aTo, bTo - from) < 4) return 0
  return editDistance(query.symbols, 0, aTo, b, from, bTo, 0.3) <= 0.3 ? feminineFormSimilarity : 0
}

function equalBytes(a: Uint8Array, length: number, b: Uint8Array, from: number, to: number): boolean {
  if (to - from !== length) return false
  for (let i = 0; i < length; i++) if (a[i] !== b[from + i]) return false
  return true
}
