import { type Place, placesOf } from './issuer-formats.ts'

/** A number with an issuer's own check rule, in addition to the check digits of ICAO 9303. */
export interface ProvenNumber {
  places: readonly Place[]
  /** Whether a number of that format satisfies the rule. */
  holds: (number: string) => boolean
}

const weighted = (number: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(number[at]), 0)

/** Belgian card: the last two digits are the first ten modulo 97 (97 for 0). */
const belgianCard = (number: string): boolean =>
  (Number(number.slice(0, 10)) % 97 || 97) === Number(number.slice(10))

/**
 * Belgian national register: 97 minus the first nine modulo 97; for births from 2000 on, a 2 is prefixed to the nine.
 */
function belgianPerson(number: string): boolean {
  const serial = Number(number.slice(0, 9))
  const check = Number(number.slice(9))
  return 97 - (serial % 97) === check || 97 - ((2e9 + serial) % 97) === check
}

/**
 * Portuguese citizen card: every second character from the right is doubled, letters count 10 to 35; the sum is
 * divisible by 10.
 */
function portugueseCard(number: string): boolean {
  let sum = 0
  for (const [at, character] of [...number].entries()) {
    const value = Number.parseInt(character, 36) * (at % 2 === 0 ? 2 : 1)
    sum += at % 2 === 0 && value >= 10 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Dutch burgerservicenummer: the "elfproef". */
const dutchPerson = (number: string): boolean => weighted(number, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0

/** Croatian OIB: ISO 7064, MOD 11,10. */
function croatianPerson(number: string): boolean {
  let product = 10
  for (const digit of number.slice(0, 10)) product = (((product + Number(digit)) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === Number(number[10])
}

/** The personal number of Yugoslavia, still used by its successor states. */
function yugoslavPerson(number: string): boolean {
  const check = 11 - (weighted(number, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)
  return (check > 9 ? 0 : check) === Number(number[12])
}

/** Estonian and Lithuanian personal code: a second row of weights applies when the first gives 10. */
function balticPerson(number: string): boolean {
  const first = weighted(number, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const check = first < 10 ? first : weighted(number, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11
  return check % 10 === Number(number[10])
}

/** Polish PESEL. */
const polishPerson = (number: string): boolean =>
  weighted(number, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0

/** Turkish identity number: two check digits. */
function turkishPerson(number: string): boolean {
  const tenth = weighted(number, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10
  const eleventh = weighted(number, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10
  return (tenth + 10) % 10 === Number(number[9]) && eleventh === Number(number[10])
}

/** Bulgarian EGN. */
const bulgarianPerson = (number: string): boolean =>
  (weighted(number, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(number[9])

/** Swedish personnummer with its century: Luhn over the last ten (ISO/IEC 7812-1 annex B). */
function swedishPerson(number: string): boolean {
  let sum = 0
  for (const [at, character] of [...number.slice(2)].entries()) {
    const value = Number(character) * (at % 2 === 0 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Spanish DNI: the letter is determined by the number modulo 23. */
const spanishPerson = (number: string): boolean =>
  'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number.slice(0, 8)) % 23] === number[8]

const proven = (picture: string, holds: (number: string) => boolean): ProvenNumber => ({
  places: placesOf(picture),
  holds,
})

const yugoslav = proven('9999999999999', yugoslavPerson)
const baltic = proven('99999999999', balticPerson)

/** Numbers of documents, by issuing state. */
export const provenCards: Readonly<Record<string, ProvenNumber>> = {
  BEL: proven('999999999999', belgianCard),
  PRT: proven('999999999AA9', portugueseCard),
}

/** Personal numbers, which the issuing states put first in the optional data (second on Belgian cards). */
export const provenPersons: Readonly<Record<string, ProvenNumber>> = {
  BEL: proven('99999999999', belgianPerson),
  BGR: proven('9999999999', bulgarianPerson),
  BIH: yugoslav,
  ESP: proven('99999999A', spanishPerson),
  EST: baltic,
  HRV: proven('99999999999', croatianPerson),
  LTU: baltic,
  MKD: yugoslav,
  MNE: yugoslav,
  NLD: proven('999999999', dutchPerson),
  POL: proven('99999999999', polishPerson),
  SRB: yugoslav,
  SVN: yugoslav,
  SWE: proven('999999999999', swedishPerson),
  TUR: proven('99999999999', turkishPerson),
}
