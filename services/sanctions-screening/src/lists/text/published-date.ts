const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Formats a calendar date as `YYYY-MM-DD`; null when the day does not exist. */
export function isoDay(year: number, month: number, day: number): string | null {
  const time = new Date(Date.UTC(year, month - 1, day))
  if (Number.isNaN(time.getTime()) || time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day)
    return null
  if (year < 1900 || year > 2200) return null
  return time.toISOString().slice(0, 10)
}

/** Converts `31/12/2024` (European order) to `YYYY-MM-DD`; null for other text. */
export function europeanDay(text: string | null | undefined): string | null {
  const found = text?.trim().match(/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/)
  return found ? isoDay(Number(found[3]), Number(found[2]), Number(found[1])) : null
}

/** Converts `12/31/2024` (US order) to `YYYY-MM-DD`; null for other text. */
export function americanDay(text: string | null | undefined): string | null {
  const found = text?.trim().match(/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/)
  return found ? isoDay(Number(found[3]), Number(found[1]), Number(found[2])) : null
}

/** The date part of an ISO 8601 date or timestamp; null for other text. */
export function isoDayOf(text: string | null | undefined): string | null {
  const found = text?.trim().match(/^(\d{4})-(\d{2})-(\d{2})(?:$|[T\s-])/)
  return found ? isoDay(Number(found[1]), Number(found[2]), Number(found[3])) : null
}

/** Converts `13-Feb-2026` or `13 February 2026` to `YYYY-MM-DD`; null for other text. */
export function writtenDay(text: string | null | undefined): string | null {
  const found = text?.trim().match(/^(\d{1,2})[\s-]([a-z]{3,9})\.?[\s-](\d{4})$/i)
  if (!found?.[2]) return null
  const month = months.indexOf(found[2].slice(0, 3).toLowerCase()) + 1
  return month === 0 ? null : isoDay(Number(found[3]), month, Number(found[1]))
}

/** Converts a day (at midnight) or an ISO timestamp to RFC 3339 UTC with second precision; null for other text. */
export function timestampOf(text: string | null | undefined): string | null {
  if (!text) return null
  const value = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  if (!/^\d{4}-\d{2}-\d{2}T/.test(value)) return null
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
