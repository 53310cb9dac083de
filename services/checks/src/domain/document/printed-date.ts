import { editDistance } from './edit-distance.ts'

/** Month names and abbreviations by month, without diacritics, in the languages of documents in Latin script. */
const monthNames: readonly (readonly string[])[] = [
  'JAN JANUARY JANVIER JANV JANUAR JAENNER ENERO ENE GENNAIO GEN JANEIRO JANUARI OCAK STYCZEN TAMMI IANUARIE IAN',
  'FEB FEBRUARY FEVRIER FEV FEVR FEBRUAR FEBRERO FEBBRAIO FEVEREIRO FEBRUARI SUBAT LUTY HELMI FEBRUARIE',
  'MAR MARCH MARS MAERZ MARZ MRZ MARZO MARCO MAART MRT MART MARZEC MAALIS MARTIE',
  'APR APRIL AVR AVRIL ABRIL ABR APRILE NISAN KWIECIEN HUHTI APRILIE',
  'MAY MAI MAYO MAGGIO MAG MAIO MEI MAYIS MAJ TOUKO',
  'JUN JUNE JUIN JUNI JUNIO GIUGNO GIU JUNHO HAZIRAN CZERWIEC KESA IUNIE IUN',
  'JUL JULY JUIL JUILLET JULI JULIO LUGLIO LUG JULHO TEMMUZ LIPIEC HEINA IULIE IUL',
  'AUG AUGUST AOUT AOU AGOSTO AGO AUGUSTUS AGUSTOS SIERPIEN ELO',
  'SEP SEPT SEPTEMBER SEPTEMBRE SEPTIEMBRE SETTEMBRE SET SETEMBRO EYLUL WRZESIEN SYYS SEPTEMBRIE',
  'OCT OCTOBER OCTOBRE OKT OKTOBER OCTUBRE OTTOBRE OTT OUT OUTUBRO EKIM PAZDZIERNIK LOKA OCTOMBRIE',
  'NOV NOVEMBER NOVEMBRE NOVIEMBRE NOVEMBRO KASIM LISTOPAD MARRAS NOIEMBRIE',
  'DEC DECEMBER DECEMBRE DEZ DEZEMBER DICIEMBRE DIC DICEMBRE DEZEMBRO ARALIK GRUDZIEN JOULU DECEMBRIE',
].map((names) => names.split(' '))

const monthOf = new Map(monthNames.flatMap((names, i) => names.map((name) => [name, i + 1] as const)))

export interface DateReadingOptions {
  /** The reference day for two-digit years. */
  readonly today: Date
  /** A birth date is never in the future; an expiry is hardly ever more than 20 years in the past. */
  readonly kind: 'birth' | 'expiry' | 'any'
  /** Whether 03/04/2020 is the third of April (most of the world) or the fourth of March (United States). */
  readonly dayFirst?: boolean
}

const pad = (n: number) => String(n).padStart(2, '0')

function iso(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || year < 1850 || year > 2150) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 ? `${year}-${pad(month)}-${pad(day)}` : null
}

/** Letters that OCR confuses with digits inside a date. */
const asDigits = (text: string) =>
  text.replace(/[OQD]/g, '0').replace(/[IL|]/g, '1').replace(/Z/g, '2').replace(/S/g, '5').replace(/B/g, '8')

function fullYears(raw: string, { today, kind }: DateReadingOptions): number[] {
  const value = Number(raw)
  if (raw.length === 4) return [value]
  const century = Math.floor(today.getUTCFullYear() / 100) * 100
  const now = today.getUTCFullYear() - century
  if (kind === 'birth') return [value > now ? century - 100 + value : century + value]
  if (kind === 'expiry') return [value > now + 30 ? century - 100 + value : century + value]
  return [century + value, century - 100 + value]
}

function monthNamed(word: string): number | null {
  const exact = monthOf.get(word)
  if (exact !== undefined) return exact
  if (word.length < 3) return null
  // Tolerates one wrong letter when only one month is that close.
  const near = new Set<number>()
  for (const [name, month] of monthOf) {
    if (name.length >= 3 && Math.abs(name.length - word.length) <= 1 && editDistance(name, word, 1) <= 1)
      near.add(month)
  }
  return near.size === 1 ? [...near][0]! : null
}

/**
 * The calendar dates that a printed line may mean, `YYYY-MM-DD`, the most likely first; empty when it contains none.
 * Reads `12 DEC 1982`, `14 JAN /JAN 13`, `01.01.1911`, `1982-12-12`, `12 12 82`, `12DEC1982`, `DEC 12, 1982`.
 */
export function readPrintedDate(text: string, options: DateReadingOptions): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  const found: string[] = []
  const add = (years: number[], month: number, day: number) => {
    for (const year of years) {
      const date = iso(year, month, day)
      if (date && !found.includes(date)) found.push(date)
    }
  }
  const named = plain.match(
    /(?<![0-9])([0-9OIL]{1,2})[\s.-]*([A-Z]{3,11})\.?(?:\s*\/\s*[A-Z]{3,11}\.?)?[\s.,-]*([0-9OIL]{4}|[0-9OIL]{2})(?![0-9])/,
  )
  if (named) {
    const month = monthNamed(named[2]!)
    if (month) add(fullYears(asDigits(named[3]!), options), month, Number(asDigits(named[1]!)))
  }
  const american = plain.match(/([A-Z]{3,9})\.?\s*(\d{1,2}),?\s+(\d{4})/)
  if (american && found.length === 0) {
    const month = monthNamed(american[1]!)
    if (month) add(fullYears(american[3]!, options), month, Number(american[2]!))
  }
  for (const [, y, m, d] of plain.matchAll(/(?<!\d)(\d{4})[\s./-]+(\d{1,2})[\s./-]+(\d{1,2})(?!\d)/g)) {
    add([Number(y)], Number(m), Number(d))
  }
  for (const [, a, b, y] of plain.matchAll(/(?<!\d)(\d{1,2})[\s./-]+(\d{1,2})[\s./-]+(\d{4}|\d{2})(?!\d)/g)) {
    const years = fullYears(y!, options)
    const dayFirst = options.dayFirst ?? true
    add(years, Number(dayFirst ? b : a), Number(dayFirst ? a : b))
    add(years, Number(dayFirst ? a : b), Number(dayFirst ? b : a))
  }
  if (found.length === 0) {
    const packed = plain.match(/^\D{0,2}(\d{2})[\s./-]*(\d{2})[\s./-]*(\d{4})\D{0,2}$/)
    if (packed) add([Number(packed[3])], Number(packed[2]), Number(packed[1]))
  }
  return found
}
