import { candidates, fillerLookalikes } from './confusions.ts'
import { endsIn, endsInPair } from './name-endings.ts'

const filler = 60

const isLetter = (code: number): boolean => code >= 65 && code <= 90
const isVowel = (code: number): boolean => 'AEIOUY'.includes(String.fromCharCode(code))

/** Odds from which the end of a name counts as decided. */
const decidingOdds = 5
/** Fraction of fillers read as letters, before any were seen in this name. */
const unseenNoise = 0.005
/** Fraction of names whose last word is one letter, or has no vowel. */
const initialLetter = 0.01
const wordWithoutVowel = 0.001

export interface CorrectedName {
  text: string
  /** False when another character is as likely. */
  decided: boolean
}

const wordAt = (text: string, position: number, letter: string): string => {
  const start = text.lastIndexOf('<', position - 1) + 1
  const end = text.indexOf('<', position)
  return text.slice(start, position) + letter + text.slice(position + 1, end < 0 ? text.length : end)
}

/**
 * The letter printed where a digit was read. Only `0` has more than one likely letter: a word printed elsewhere
 * decides, otherwise the alternation of vowels and consonants: O between consonants; C or D between vowels; O or D at
 * the end of a word.
 */
function letterFor(
  text: string,
  position: number,
  words: ReadonlySet<string>,
): { letter: string; decided: boolean } | null {
  const options = candidates.letter[text.charCodeAt(position)]!
  if (options.length === 0) return null
  if (options.length > 1) {
    for (const { code } of options) {
      const letter = String.fromCharCode(code)
      if (words.has(wordAt(text, position, letter))) return { letter, decided: true }
    }
  }
  if (text.charCodeAt(position) !== 48)
    return { letter: String.fromCharCode(options[0]!.code), decided: true }
  const previous = text.charCodeAt(position - 1)
  const next = text.charCodeAt(position + 1)
  const afterConsonant = isLetter(previous) && !isVowel(previous)
  const beforeVowel = isLetter(next) && isVowel(next)
  if (beforeVowel && !afterConsonant) return { letter: 'D', decided: false }
  const atEnd = !isLetter(next)
  return { letter: 'O', decided: !atEnd || !'LNR'.includes(String.fromCharCode(previous)) }
}

/** The letters read in place of fillers, with their counts, and the number of places examined. */
export interface FillerNoise {
  letters: ReadonlyMap<string, number>
  places: number
}

interface Tail {
  noise: Map<string, number>
  total: number
  length: number
}

/** How often a misread filler is read as each letter. */
const shares: ReadonlyMap<string, number> = new Map(
  [...fillerLookalikes].map((code) => {
    const { cost } = candidates.letter[code]!.find((candidate) => candidate.code === filler)!
    return [String.fromCharCode(code), Math.exp(-cost)]
  }),
)
const allShares = [...shares.values()].reduce((sum, share) => sum + share, 0)

function take(tail: Tail, letters: string): void {
  for (const letter of letters) tail.noise.set(letter, (tail.noise.get(letter) ?? 0) + 1)
  tail.total += letters.length
}

/** Odds that the last letter of a word is a misread filler rather than a letter of the name. */
function oddsOfFiller(tail: Tail, word: string): number {
  const letter = word.at(-1)!
  const before = word.at(-2)
  const share = ((tail.noise.get(letter) ?? 0) + (2 * shares.get(letter)!) / allShares) / (tail.total + 2)
  const asFiller = (tail.total === 0 ? unseenNoise : tail.total / tail.length) * share
  if (before === undefined) return asFiller / initialLetter
  if (!/[AEIOUY]/.test(word)) return asFiller / wordWithoutVowel
  if (word.at(-3) === letter && before === letter) return Number.POSITIVE_INFINITY
  const shorterIsName = fillerLookalikes.has(before.charCodeAt(0))
    ? Math.max(0.2, endsIn(before))
    : endsIn(before)
  return (asFiller * shorterIsName) / endsInPair(before + letter)
}

interface Group {
  start: number
  end: number
  /** Number of fillers before the group. */
  gap: number
}

/** The groups of letters after the last letter that is not confusable with a filler, from the left. */
function tailGroups(text: string, tailStart: number): Group[] {
  const groups: Group[] = []
  let at = tailStart
  while (at < text.length) {
    const gapStart = at
    while (at < text.length && text.charCodeAt(at) === filler) at++
    const start = at
    while (at < text.length && text.charCodeAt(at) !== filler) at++
    if (at > start) groups.push({ start, end: at, gap: start - gapStart })
  }
  return groups
}

/**
 * Finds where the name ends and the fillers begin, although fillers may have been read as letters.
 *
 * After the last letter that is not confusable with a filler follows a tail of fillers and confusable letters. Groups
 * of letters after two fillers are fillers. From the right, each remaining letter is a filler or the end of the name,
 * whichever is more likely given the misreadings in this tail and common name endings. A word printed elsewhere
 * decides.
 */
function endOfName(
  text: string,
  words: ReadonlySet<string>,
  seen: FillerNoise,
): { end: number; decided: boolean } {
  let start = text.length
  while (start > 0) {
    const code = text.charCodeAt(start - 1)
    if (code !== filler && !fillerLookalikes.has(code)) break
    start--
  }
  const tail: Tail = { noise: new Map(), total: 0, length: text.length - start + seen.places }
  for (const [letter, count] of seen.letters) take(tail, letter.repeat(count))
  const separator = text.indexOf('<<')
  const groups: Group[] = []
  let ended = false
  for (const group of tailGroups(text, start)) {
    const letters = text.slice(group.start, group.end)
    const givenName = group.start === separator + 2 && /[AEIOUY]/.test(letters) && letters.length > 1
    if (group.gap >= 2 && !givenName) ended = true
    if (ended || (group.gap === 1 && letters.length > 1 && !/[AEIOUY]/.test(letters))) take(tail, letters)
    else groups.push(group)
  }
  let decided = true
  for (const group of groups.reverse()) {
    const wordStart = group.gap > 0 ? group.start : text.lastIndexOf('<', group.start) + 1
    for (let end = group.end; end > group.start; end--) {
      const word = text.slice(wordStart, end)
      if (words.has(word)) return { end, decided }
      const odds = words.has(word.slice(0, -1)) ? Number.POSITIVE_INFINITY : oddsOfFiller(tail, word)
      if (odds < decidingOdds && odds > 1 / decidingOdds) decided = false
      if (odds <= 1) return { end, decided }
      take(tail, word.at(-1)!)
    }
  }
  while (start > 0 && text.charCodeAt(start - 1) === filler) start--
  return { end: start, decided }
}

/** Whether two words have the same length and differ only in confusable pairs. */
function areConfusable(read: string, printed: string): boolean {
  if (read.length !== printed.length) return false
  for (let at = 0; at < read.length; at++) {
    const code = printed.charCodeAt(at)
    if (read.charCodeAt(at) === code) continue
    if (!candidates.letter[read.charCodeAt(at)]!.some((candidate) => candidate.code === code)) return false
  }
  return true
}

/** Shorter words are not used as evidence. */
const shortestWord = 3

/**
 * Whether a word printed elsewhere indicates a misread letter in the name. No check digit decides which one is correct.
 */
function isContradicted(name: string, words: ReadonlySet<string>): boolean {
  for (const word of name.split('<')) {
    if (word.length < shortestWord || words.has(word)) continue
    for (const printed of words) if (areConfusable(word, printed)) return true
  }
  return false
}

/**
 * Corrects digits read for letters, and letters read for fillers, in the name field; `seen` is the noise in other
 * fields.
 */
export function correctNameField(
  field: string,
  words: ReadonlySet<string>,
  seen: FillerNoise,
): CorrectedName {
  let decided = true
  let text = ''
  for (let position = 0; position < field.length; position++) {
    const code = field.charCodeAt(position)
    if (isLetter(code) || code === filler) {
      text += field[position]
      continue
    }
    const correction = letterFor(field, position, words)
    if (correction?.decided !== true) decided = false
    text += correction?.letter ?? field[position]
  }
  const end = endOfName(text, words, seen)
  const name = text.slice(0, end.end)
  return {
    text: name.padEnd(field.length, '<'),
    decided: decided && end.decided && !isContradicted(name, words),
  }
}
