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

const equalSpellingSimilarity = 0.96
export const attachedArticleSimilarity = 0.97
const feminineFormSimilarity = 0.92
/** Less similar words are different names. */
const minSimilarity = 0.78
/**
 * Makes an edit cost more than its share of the letters, because two half-similar words are weaker than one similar
 * word.
 */
const distanceSteepness = 1.3
/** A shared patronymic ending counts as this many equal letters. */
const sharedEndingLetters = 2
/** A four-letter name with one consonant changed is a different name. */
const maxShortNameDistance = 0.6
/** Extra cost of a different first letter, because typing errors rarely affect it. */
const firstLetterCost = 0.35
/** Two known names that differ are usually different names, so they must be closer than one typing error. */
const minKnownNameSimilarity = 0.94

/**
 * Similarity of a query word and a listed word, 0 (different names) to 1 (equal). Transliteration variants score above
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
  // Hangul spellings must be equal: only their romanisations vary.
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
  // A Han or Hangul syllable is a complete word, so one changed sound makes a different word.
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
  // A shared patronymic ending is no evidence: Borisovich and Viktorovich differ in the stem.
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

/**
 * Compares the letters instead of the spelling symbols, for a typing error inside a digraph that the spelling reads
 * as one sound.
 */
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

/** The largest edit distance at which two words of this length are similar. */
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

/** Ivanov and Ivanova are the same family name. */
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
