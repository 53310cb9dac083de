import { z } from 'zod'

/** RFC 3339, UTC, second precision: the one form of an instant on the wire. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'must be an RFC 3339 UTC timestamp with second precision')
  .meta({ format: 'date-time', example: '2026-01-31T09:30:00Z' })

/** Cuts an instant to the second and writes it as {@link timestamp} wants it. */
export const toTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** A calendar date, `YYYY-MM-DD`, that exists. */
export const calendarDate = z.iso.date().meta({ example: '1990-04-21' })
