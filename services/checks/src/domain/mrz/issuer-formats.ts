import { candidates } from './confusions.ts'

/**
 * How issuers make up the numbers of their documents, as far as they have published it: the register of the European
 * Council (PRADO) and the issuers' own pages. A picture says for each character what stands there: `9` a digit, `A` a
 * letter, `X` either. Formats change with every new series, so a picture makes a reading likelier and proves nothing.
 */
interface IssuerFormat {
  passport?: readonly string[]
  card?: readonly string[]
  /** The optional data of visas, which no check digit covers, as on the foils that the issuer has published. */
  visa?: string
  /** The letters that the issuer uses; all of them where nothing is said. */
  letters?: string
}

/** No vowels, and nothing that looks like a digit. */
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

/** What an issuer puts at one place of a number. */
export interface Place {
  digits: boolean
  /** The letters, empty where there are none. */
  letters: string
}

const filler = 60
const everyLetter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Whether an issuer puts this character there; a filler never. */
export function allows({ digits, letters }: Place, code: number): boolean {
  return isDigit(code) ? digits : letters.includes(String.fromCharCode(code))
}

/** The places of a picture. */
export function placesOf(picture: string, letters: string = everyLetter): Place[] {
  return [...picture].map((symbol) => ({
    digits: symbol !== 'A',
    letters: symbol === '9' ? '' : letters,
  }))
}

const isFiller = (code: number): boolean => code === filler

/** Whether what was read may be what the places say, and fillers behind them. */
export function fits(places: readonly Place[], read: string): boolean {
  if (places.length > read.length) return false
  for (let at = 0; at < read.length; at++) {
    const place = places[at]
    const may = place === undefined ? isFiller : (code: number): boolean => allows(place, code)
    if (!candidates.any[read.charCodeAt(at)]!.some(({ code }) => may(code))) return false
  }
  return true
}

const parsed = new Map<string, Place[][]>()

function numbersOf(state: string, kind: string): Place[][] {
  const key = kind + state
  const known = parsed.get(key)
  if (known !== undefined) return known
  const format = formats[state]
  const pictures = (kind === 'P' ? format?.passport : kind === 'V' ? undefined : format?.card) ?? []
  const places = pictures.map((picture) => placesOf(picture, format!.letters))
  parsed.set(key, places)
  return places
}

/** What the issuer puts at each place of the optional data of its visas; null where that is not known, or not so. */
export function visaPlaces(state: string, read: string): readonly Place[] | null {
  const picture = formats[state]?.visa
  if (picture === undefined) return null
  const places = placesOf(picture)
  return fits(places, read) ? places : null
}

/**
 * What the issuer may have put at each place of a document number of which `read` was read, fillers behind it; null
 * when none of its formats is known to fit. `state` without fillers; `kind` is the first letter of the document code.
 */
export function numberPlaces(state: string, kind: string, read: string): readonly Place[] | null {
  const fitting = numbersOf(state, kind).filter((places) => fits(places, read))
  if (fitting.length === 0) return null
  const length = Math.max(...fitting.map((places) => places.length))
  return Array.from({ length }, (_, at) => {
    const here = fitting.flatMap((places) => places[at] ?? [])
    return {
      digits: here.some(({ digits }) => digits),
      letters: here.reduce(
        (letters, place) => (place.letters.length > letters.length ? place.letters : letters),
        '',
      ),
    }
  })
}
