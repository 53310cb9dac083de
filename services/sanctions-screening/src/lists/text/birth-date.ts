import type { ListedBirthDate } from '../../domain/entity.ts'
import { birthDateBounds } from '../../domain/entity.ts'
import { clean } from './clean.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const approximation =
  /\b(?:circa|ca?\.|ca|approximately|approx(?:imate)?\b\.?|about|around|early|mid|late|probably|possibly)\s*/gi
const earliestYear = 1850
const latestYear = 2100

/** Builds a birth date from its parts; 0 means not given. Null when they are not a valid date. */
export function birthDate(year: number, month: number, day: number, circa: boolean): ListedBirthDate | null {
  if (!Number.isInteger(year) || year < earliestYear || year > latestYear) return null
  if (month === 0) return day === 0 ? { kind: 'year', year, circa } : null
  if (month < 1 || month > 12) return null
  const monthText = `${year}-${String(month).padStart(2, '0')}`
  if (day === 0) return { kind: 'month', month: monthText, circa }
  const time = new Date(Date.UTC(year, month - 1, day))
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day) return null
  return { kind: 'day', date: `${monthText}-${String(day).padStart(2, '0')}`, circa }
}

/** The range from the first day of `from` to the last day of `to`; null when they are in the wrong order. */
export function birthRange(
  from: ListedBirthDate,
  to: ListedBirthDate,
  circa: boolean,
): ListedBirthDate | null {
  const start = birthDateBounds(from).from
  const end = birthDateBounds(to).to
  if (start !== null && end !== null && start > end) return null
  return { kind: 'range', from: start, to: end, circa }
}

/**
 * Parses a date, year or range in the formats of the lists: `05 Jun 1950`, `Apr 1961`, `1953`, `1951 to 1953`,
 * `circa 1948`, `Between 1955 and 1958`, `Approximately 1955-1958`, `00/00/1961`, `dd/mm/1945`, `1972-04-03`. Null for
 * anything else. Dates of other calendars are not converted, because the result would be more precise than the list.
 */
export function parseBirthDate(text: string | null | undefined): ListedBirthDate | null {
  const value = clean(text)
  if (value === null || /hijri|shamsi|solar|lunar/i.test(value)) return null
  const plain = value.replace(approximation, '')
  const circa = plain !== value
  const core = plain.replace(/^(?:between|from|in)\s+/i, '').replace(/[\s.;,]+$/, '')
  const single = parseSingle(core, circa)
  if (single !== null) return single
  const ends = core.match(/^(.+?)\s*(?:\bto\b|\band\b|[-–—])\s*(.+)$/i)
  if (ends?.[1] === undefined || ends[2] === undefined) return null
  const to = parseSingle(ends[2], circa)
  if (to === null) return null
  const from = parseSingle(ends[1], circa) ?? parseSingle(`${ends[1]} ${yearOf(to)}`, circa)
  return from === null ? null : birthRange(from, to, circa)
}

function yearOf(birth: ListedBirthDate): string {
  return (birthDateBounds(birth).to ?? '').slice(0, 4)
}

function parseSingle(text: string, circa: boolean): ListedBirthDate | null {
  const value = text.trim()
  let found = value.match(/^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:T.*)?$/)
  if (found) return birthDate(Number(found[1]), Number(found[2] ?? 0), Number(found[3] ?? 0), circa)
  found = value.match(/^(?:(\d{1,2}|dd)[/.])?(\d{1,2}|mm)[/.](\d{4})$/i)
  if (found) return birthDate(Number(found[3]), placeholder(found[2]), placeholder(found[1]), circa)
  found = value.match(/^(?:(\d{1,2})(?:st|nd|rd|th)?[\s.-]+)?([a-z]{3,9})\.?[\s,.-]*(\d{4})$/i)
  if (found) return withMonthName(found[3], found[2], found[1], circa)
  found = value.match(/^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i)
  if (found) return withMonthName(found[3], found[1], found[2], circa)
  return null
}

function placeholder(part: string | undefined): number {
  return part === undefined || /^[a-z]/i.test(part) ? 0 : Number(part)
}

function withMonthName(year = '', name = '', day = '0', circa: boolean): ListedBirthDate | null {
  const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1
  return month === 0 ? null : birthDate(Number(year), month, Number(day), circa)
}
