const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** No document is valid for longer, so an expiry further ahead belongs to the previous century. */
const longestValidityYears = 30

/** The reference day for two-digit years, as numbers. */
export interface Today {
  year: number
  month: number
  day: number
}

export function todayOf(date: Date): Today {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function digitsAt(raw: string, start: number): number {
  const tens = raw.charCodeAt(start) - 48
  const units = raw.charCodeAt(start + 1) - 48
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : -1
}

const pad = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** True for a day that exists in that year of the proleptic Gregorian calendar. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth[month - 1]!) return false
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}

function resolve(
  raw: string,
  yearOf: (twoDigits: number, month: number, day: number) => number,
): string | null {
  const twoDigits = digitsAt(raw, 0)
  const month = digitsAt(raw, 2)
  const day = digitsAt(raw, 4)
  if (twoDigits < 0 || month < 0 || day < 0) return null
  const year = yearOf(twoDigits, month, day)
  return isCalendarDay(year, month, day) ? `${year}-${pad(month)}-${pad(day)}` : null
}

/**
 * YYMMDD to YYYY-MM-DD for a birth: the latest such day not in the future, so at most 100 years back. Null for fillers
 * and for a day that does not exist. ICAO 9303-3 section 4.8 leaves the century to the reader.
 */
export function birthDate(raw: string, today: Today): string | null {
  return resolve(raw, (twoDigits, month, day) => {
    const year = today.year - (today.year % 100) + twoDigits
    const future =
      year > today.year ||
      (year === today.year && (month > today.month || (month === today.month && day > today.day)))
    return future ? year - 100 : year
  })
}

/** YYMMDD to YYYY-MM-DD for an expiry: the latest such year at most 30 years ahead, so at most 69 years back. */
export function expiryDate(raw: string, today: Today): string | null {
  return resolve(raw, (twoDigits) => {
    const latest = today.year + longestValidityYears
    return latest - ((((latest - twoDigits) % 100) + 100) % 100)
  })
}

/**
 * True for a day that exists, and for a date with unknown parts (fillers, ICAO 9303-3 section 4.8) whose other parts
 * are possible.
 */
export function isPossibleDate(raw: string, resolved: string | null): boolean {
  if (resolved !== null) return true
  const unknown = (start: number): boolean => raw.charCodeAt(start) === 60 && raw.charCodeAt(start + 1) === 60
  if (!unknown(0) && !unknown(2) && !unknown(4)) return false
  const month = digitsAt(raw, 2)
  const day = digitsAt(raw, 4)
  return (
    (unknown(0) || digitsAt(raw, 0) >= 0) &&
    (unknown(2) || (month >= 1 && month <= 12)) &&
    (unknown(4) || (day >= 1 && day <= 31))
  )
}
