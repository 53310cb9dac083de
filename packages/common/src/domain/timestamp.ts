import { z } from 'zod'

/** Cuts an instant to the second and writes it as {@link timestamp} wants it. */
export const toTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** False for the 58th month, and for 30 February, which `Date` would take for 2 March. */
function exists(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && toTimestamp(date) === text
}

/** RFC 3339, UTC, second precision: the one form of an instant on the wire. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'must be an RFC 3339 UTC timestamp with second precision')
  .refine(exists, 'must be a date and time that exists')
  .meta({ format: 'date-time', example: '2026-01-31T09:30:00Z' })

/** A calendar date, `YYYY-MM-DD`, that exists. */
export const calendarDate = z.iso.date().meta({ example: '1990-04-21' })
