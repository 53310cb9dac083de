import { candidates } from './confusions.ts'

/**
 * Number formats of document issuers, as far as they are published: the register of the European Council (PRADO) and
 * the issuers' own pages. A picture defines each character: `9` a digit, `A` a letter, `X` either. Formats change with
 * every new series, so a match makes a reading more likely and proves nothing.
 */
interface IssuerFormat {
  passport?: readonly string[]
  card?: readonly string[]
  /** The optional data of visas, which no check digit covers, as on the visa stickers that the issuer has published. */
  visa?: string
  /** The letters that the issuer uses; all letters when absent. */
  letters?: string
}

/** No vowels, and no letters that resemble digits. */
const germanLetters = 'CFGHJKLMNPRTVWXYZ'
const withoutO = 'ABCDEFGHIJKLMNPQRSTUVWXYZ'
const withoutIO = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

const nineDigits = ['999999999']
const letterAndSeven = ['A9999999']
const letterAndEight = ['A99999999']
const twoLettersAndSeven = ['AA9999999']
const twoLettersAndSix = ['AA999999']

const formats: Readonly<Record<string, IssuerFormat>> = {
  AUS: { passport: [...letterAndSeven, ...twoLettersAndSeven] },
  AUT: { passport: letterAndSeven, card: ['A9999999', 'AA9999999'] },
  BEL: { passport: twoLettersAndSix, card: ['999999999999'] },
  BGR: { passport: nineDigits, card: [...nineDigits, ...twoLettersAndSeven] },
  BRA: { passport: twoLettersAndSix },
  CAN: { passport: [...twoLettersAndSix, 'A999999AA'] },
  CHE: { passport: letterAndSeven, card: letterAndSeven },
  CHN: { passport: [...letterAndEight, ...twoLettersAndSeven], letters: withoutIO },
  CZE: { passport: ['99999999'], card: nineDigits },
  D: { passport: ['XXXXXXXXX'], card: ['XXXXXXXXX'], letters: germanLetters },
  DNK: { passport: nineDigits },
  ESP: { passport: ['AAA999999'], card: ['AAA999999'] },
  EST: { passport: twoLettersAndSeven, card: twoLettersAndSeven },
  FIN: { passport: twoLettersAndSeven },
  FRA: { passport: ['99AA99999'] },
  GBR: { passport: nineDigits, card: twoLettersAndSeven },
  GRC: { passport: twoLettersAndSeven },
  HRV: { passport: nineDigits, card: nineDigits },
  IND: { passport: letterAndSeven },
  IRL: { passport: twoLettersAndSeven },
  ITA: { passport: twoLettersAndSeven, card: ['AA99999AA'] },
  JPN: { passport: twoLettersAndSeven },
  KOR: { passport: [...letterAndEight, 'A999A9999'] },
  LIE: { card: twoLettersAndSeven },
  LVA: { passport: twoLettersAndSeven, card: twoLettersAndSeven },
  MEX: { passport: letterAndEight },
  NLD: { passport: ['AAXXXXXX9'], card: ['AAXXXXXX9'], letters: withoutO },
  PAK: { passport: twoLettersAndSeven },
  POL: { passport: twoLettersAndSeven, card: ['AAA999999'] },
  PRT: { passport: ['AA999999'], card: ['999999999AA9'] },
  RUS: { passport: nineDigits },
  SVN: { passport: twoLettersAndSeven, card: nineDigits },
  SWE: { passport: ['99999999', 'AA999999'] },
  TUR: { passport: letterAndEight, card: ['A99A99999'] },
  UKR: { passport: twoLettersAndSix, card: nineDigits },
  USA: { passport: [...nineDigits, ...letterAndEight], card: letterAndEight, visa: 'AXXXXXXXXX999999' },
}

/** The characters that an issuer uses at one position of a number. */
export interface Place {
  digits: boolean
  /** The permitted letters, empty when there are none; a filler after the number. */
  letters: string
}

const everyLetter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Whether the issuer uses this character at this position. */
export function allows({ digits, letters }: Place, code: number): boolean {
  return isDigit(code) ? digits : letters.includes(String.fromCharCode(code))
}

/** The positions of a picture. */
export function placesOf(picture: string, letters: string = everyLetter): Place[] {
  return [...picture].map((symbol) => ({
    digits: symbol !== 'A',
    letters: symbol === '9' ? '' : letters,
  }))
}

/** Whether the characters read may match the positions; `read` may be longer. */
export function fits(places: readonly Place[], read: string): boolean {
  return places.every((place, at) =>
    candidates.any[read.charCodeAt(at)]?.some(({ code }) => allows(place, code)),
  )
}

const numberLength = 9
const behind: Place = { digits: false, letters: '<' }

/** A document number, followed by fillers when it is shorter than its field. */
const numberPlaces = (picture: string, letters?: string): Place[] =>
  [...placesOf(picture, letters), ...new Array<Place>(numberLength).fill(behind)].slice(
    0,
    Math.max(numberLength, picture.length),
  )

const placesOfAll = ({ passport, card, letters }: IssuerFormat): Record<'passport' | 'card', Place[][]> => ({
  passport: passport?.map((picture) => numberPlaces(picture, letters)) ?? [],
  card: card?.map((picture) => numberPlaces(picture, letters)) ?? [],
})

const numbers = new Map(Object.entries(formats).map(([state, format]) => [state, placesOfAll(format)]))

/** The issuer's format of its visas' optional data; null when it is unknown or does not match. */
export function visaPlaces(state: string, read: string): readonly Place[] | null {
  const picture = formats[state]?.visa
  if (picture === undefined) return null
  const places = placesOf(picture)
  return fits(places, read) ? places : null
}

/**
 * The known formats of a document number, including trailing fillers, that `read` may match; empty when none fits.
 * `state` has no fillers; `kind` is the first letter of the document code. Visas have no known format, because the
 * number on a visa may be the issuer's or the passport's.
 */
export function numberForms(state: string, kind: string, read: string): (readonly Place[])[] {
  const known = kind === 'V' ? undefined : numbers.get(state)?.[kind === 'P' ? 'passport' : 'card']
  return known?.filter((places) => fits(places, read)) ?? []
}
