import { candidates, fillerLookalikes } from './confusions.ts'

const filler = 60

const isLetter = (code: number): boolean => code >= 65 && code <= 90
const isVowel = (code: number): boolean => 'AEIOUY'.includes(String.fromCharCode(code))

/**
 * The letter printed where a digit was read. Only `0` has two likely ones, O and D: names alternate, so it is O beside
 * consonants and D before a vowel.
 */
function letterFor(text: string, position: number): string | null {
  const read = text.charCodeAt(position)
  const option = candidates.letter[read]![0]
  if (option === undefined) return null
  if (read !== 48) return String.fromCharCode(option.code)
  const next = text.charCodeAt(position + 1)
  return isLetter(next) && isVowel(next) ? 'D' : 'O'
}

/** Whether a name may end so: pairs of letters that are common at the end of names. */
const commonEndings = new Set(
  ('AK EK IK OK UK CK RK NK LK SK EL AL IL OL UL LL YL RL IC EC RC AC EX AX IX UX NX AS ES IS OS US NS RS TS LS DS SS ' +
    'AE BE CE DE EE FE GE HE IE KE LE ME NE OE PE RE SE TE UE VE XE YE ZE').split(' '),
)

/**
 * Finds where the name ends and the fillers begin, although fillers may have been read as letters.
 *
 * Everything after the last letter that is no look-alike of a filler is a tail of fillers and look-alikes. A letter in
 * it that stands after two fillers is a filler; one that adjoins the name is a filler when the tail has others, or when
 * no name ends so, unless a word printed elsewhere on the document proves it.
 */
function endOfName(text: string, words: ReadonlySet<string>): number {
  let tail = text.length
  while (tail > 0) {
    const code = text.charCodeAt(tail - 1)
    if (code !== filler && !fillerLookalikes.has(code)) break
    tail--
  }
  if (text.indexOf('<', tail) < 0 && !/(.)\1\1$/.test(text)) return text.length

  let firstFiller = text.indexOf('<', tail)
  if (firstFiller < 0) firstFiller = text.length
  let noise = 0
  for (let position = firstFiller; position < text.length; position++) {
    if (text.charCodeAt(position) !== filler) noise++
  }
  const start = text.lastIndexOf('<', firstFiller - 1) + 1
  let end = firstFiller
  while (end > Math.max(tail, start + 1)) {
    const word = text.slice(start, end)
    if (words.has(word)) return end
    const shorter = text.slice(start, end - 1)
    const doubled = text[end - 1] === text[end - 2] || fillerLookalikes.has(text.charCodeAt(end - 2))
    const common = commonEndings.has(text.slice(end - 2, end))
    if (!words.has(shorter) && common && noise === 0) break
    if (!words.has(shorter) && !common && noise === 0 && !doubled) break
    if (!words.has(shorter) && 'ES'.includes(text[end - 1]!) && noise < 2) break
    end--
    noise++
  }
  return end
}

/** The name field with digits read as letters and letters read as fillers put right; positions it could not decide. */
export function correctNameField(
  field: string,
  words: ReadonlySet<string>,
): { text: string; undecided: readonly number[] } {
  const undecided: number[] = []
  let text = ''
  for (let position = 0; position < field.length; position++) {
    const code = field.charCodeAt(position)
    if (isLetter(code) || code === filler) text += field[position]
    else {
      const letter = letterFor(field, position)
      if (letter === null) undecided.push(position)
      text += letter ?? field[position]
    }
  }
  const end = endOfName(text, words)
  return { text: text.slice(0, end).padEnd(field.length, '<'), undecided }
}
