/**
 * Confusable pairs of printed and read characters with their costs: the negative logarithm of the error's frequency,
 * between 2.5 (one in twelve) and 5 (one in 150). OCR-B separates its letters well, so the pairs come from shapes that
 * look alike when blurred and from readers trained on other typefaces.
 */
const pairs: readonly (readonly [printed: string, read: string, cost: number])[] = [
  ['0', 'O', 3],
  ['0', 'Q', 4.7],
  ['0', 'D', 4.7],
  ['0', 'C', 5.5],
  ['1', 'I', 3],
  ['1', 'L', 4.5],
  ['1', '7', 5.5],
  ['2', 'Z', 3],
  ['4', 'A', 3.3],
  ['5', 'S', 3],
  ['6', 'G', 3],
  ['7', '1', 3.3],
  ['7', 'T', 5],
  ['8', 'B', 3.2],
  ['A', '4', 3.3],
  ['B', '8', 3.2],
  ['C', 'G', 4],
  ['C', '0', 4],
  ['D', '0', 3.3],
  ['D', 'O', 4.2],
  ['G', '6', 3.3],
  ['G', 'C', 5],
  ['H', 'M', 3.5],
  ['I', '1', 3],
  ['M', 'H', 3.5],
  ['O', '0', 3],
  ['O', 'Q', 4.5],
  ['O', 'D', 5],
  ['Q', 'O', 4.5],
  ['Q', '0', 5],
  ['S', '5', 3],
  ['T', '7', 5],
  ['U', 'V', 3.5],
  ['V', 'U', 3.5],
  ['Z', '2', 3],
  ['<', 'K', 2.5],
  ['<', 'L', 2.7],
  ['<', 'C', 3],
  ['<', 'X', 4],
  ['<', 'E', 4],
  ['<', 'S', 4],
]

export interface Candidate {
  /** Code of the character that may be printed. */
  code: number
  cost: number
}

/** Classes of characters that a position of the layout may contain. */
export type CharacterClass = 'letter' | 'digit' | 'any' | 'sex' | 'kind' | 'visa' | 'check'

const members: Record<CharacterClass, string> = {
  letter: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ<',
  digit: '0123456789',
  any: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<',
  sex: 'MFX<',
  kind: 'PACI',
  visa: 'V',
  check: '0123456789<',
}

const characterClasses: readonly CharacterClass[] = ['letter', 'digit', 'any', 'sex', 'kind', 'visa', 'check']

/**
 * Cost of a character that no known confusion explains. Only V is valid for a visa; any other letter means another
 * document.
 */
const unexplainedIn = (characterClass: CharacterClass): number => (characterClass === 'visa' ? 30 : 8)

type Table = readonly (readonly Candidate[])[]

function tableOf(characterClass: CharacterClass): Table {
  const table: Candidate[][] = Array.from({ length: 128 }, () => [])
  for (const member of members[characterClass])
    table[member.charCodeAt(0)]!.push({ code: member.charCodeAt(0), cost: 0 })
  for (const [printed, read, cost] of pairs) {
    if (members[characterClass].includes(printed)) {
      table[read.charCodeAt(0)]!.push({ code: printed.charCodeAt(0), cost })
    }
  }
  // A filler in place of a digit: dates may be unknown, and an empty field may have a filler as check digit. Possible,
  // but rare.
  if (characterClass === 'digit') table[60]!.push({ code: 60, cost: 2 })
  for (const candidates of table) candidates.sort((a, b) => a.cost - b.cost)
  return table
}

/** `candidates[class][code read]`: what may be printed there, the most likely first. */
export const candidates: Readonly<Record<CharacterClass, Table>> = Object.fromEntries(
  characterClasses.map((characterClass) => [characterClass, tableOf(characterClass)]),
) as Record<CharacterClass, Table>

/** `classCosts[class][code read]`: the lowest cost of a character that the class allows. */
export const classCosts: Readonly<Record<CharacterClass, Float64Array>> = Object.fromEntries(
  characterClasses.map((characterClass) => [
    characterClass,
    Float64Array.from(candidates[characterClass], (list) => list[0]?.cost ?? unexplainedIn(characterClass)),
  ]),
) as Record<CharacterClass, Float64Array>

/** Letters as which readers misread fillers. */
export const fillerLookalikes: ReadonlySet<number> = new Set(
  pairs.filter(([printed]) => printed === '<').map(([, read]) => read.charCodeAt(0)),
)

/** Letters as which readers misread digits. */
export const digitLookalikes: ReadonlySet<number> = new Set(
  pairs.filter(([printed, read]) => printed < ':' && read > '@').map(([, read]) => read.charCodeAt(0)),
)
