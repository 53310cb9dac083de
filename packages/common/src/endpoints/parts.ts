import { z } from 'zod'

/** A number in a query string: digits only, so `1e2`, ` 1` and `0x1` are rejected. */
const queryInteger = (minimum: number, maximum: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .default(fallback)

export const pageQuery = {
  page: queryInteger(1, 100_000_000, 1),
  page_size: queryInteger(1, 100, 25),
}

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), page: z.int().min(1), page_size: z.int().min(1), total: z.int().min(0) })

/** Length in bytes of a value as UTF-8 JSON. */
const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
const hasForbiddenKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.keys(value).some((key) => forbiddenKeys.has(key)) || Object.values(value).some(hasForbiddenKey))

/** Any JSON object of at most 8 KB that cannot reach a prototype. */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => jsonBytes(value) <= 8 * 1024, 'must be at most 8 KB of JSON')
  .refine((value) => !hasForbiddenKey(value), 'must not hold the keys __proto__, constructor or prototype')

/** No characters that end a line, so that the value is safe in a header, a log line or an email. */
export const singleLine = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not hold control characters')
