import { birthDateBounds, type ListedBirthDate } from '../entity.ts'

/** Tolerance in years for a date that the publisher calls approximate. */
const circaToleranceYears = 1

/**
 * Whether a birth date agrees with one of the listed dates; null when either side gives no usable date. A year or a
 * month agrees with every day in it.
 */
export function dateOfBirthMatches(
  given: string | null | undefined,
  listed: readonly ListedBirthDate[],
): boolean | null {
  const givenBounds = boundsOf(given)
  if (givenBounds === null || listed.length === 0) return null
  return listed.some((birth) => {
    const { from, to } = birthDateBounds(birth)
    const tolerance = birth.circa ? circaToleranceYears : 0
    return (
      (from === null || shiftYears(from, -tolerance) <= givenBounds.to) &&
      (to === null || shiftYears(to, tolerance) >= givenBounds.from)
    )
  })
}

/** First and last day of `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. ISO dates compare as text. */
function boundsOf(given: string | null | undefined): { from: string; to: string } | null {
  if (given === null || given === undefined || !/^\d{4}(?:-\d{2}){0,2}$/.test(given)) return null
  return {
    from: `${given}${'-01-01'.slice(given.length - 4)}`,
    to: `${given}${'-12-31'.slice(given.length - 4)}`,
  }
}

function shiftYears(date: string, years: number): string {
  return `${String(Number(date.slice(0, 4)) + years).padStart(4, '0')}${date.slice(4)}`
}
