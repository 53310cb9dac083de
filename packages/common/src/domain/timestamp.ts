import { z } from 'zod'

/** Truncates an instant to the second and formats it as a {@link timestamp}. */
export const toTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** False for month 58, and for 30 February, which `Date` would turn into 2 March. */
function exists(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && toTimestamp(date) === text
}

/** RFC 3339, UTC, second precision: the only format of an instant on the wire. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'must be an RFC 3339 UTC timestamp with second precision')
  .refine(exists, 'must be a date and time that exists')
  .meta({ format: 'date-time', example: '2026-01-31T09:30:00Z' })

/** An existing calendar date, `YYYY-MM-DD`. */
export const calendarDate = z.iso.date().meta({ example: '1990-04-21' })
