// Bidirectional controls and the byte-order mark have no meaning in a name. They come from documents that were pasted.
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
const blanks = /[\s\u0000-\u001f\u007f-\u009f]+/g

/** Printable ASCII with single spaces. Most values are, and need no cleaning. */
const alreadyClean = /^[!-~]+(?: [!-~]+)*$/

/** Normalises to NFC, removes invisible characters, collapses whitespace and trims. Null when nothing remains. */
export function clean(text: string | null | undefined): string | null {
  if (!text) return null
  if (alreadyClean.test(text)) return text
  const result = text.normalize('NFC').replace(invisible, '').replace(blanks, ' ').trim()
  return result === '' ? null : result
}

const placeholders = new Set(['-', '-0-', 'na', 'n/a', 'none', 'unknown', 'nil', 'not available'])

/** As `clean`, and null for the placeholders that publishers use for unknown values (`-0-`, `na`, `unknown`). */
export function cleanValue(text: string | null | undefined): string | null {
  const value = clean(text)
  return value === null || placeholders.has(value.toLowerCase()) ? null : value
}

/** Joins the cleaned parts; null when all are empty. */
export function joinCleaned(parts: readonly (string | null | undefined)[], separator: string): string | null {
  const cleaned = parts.map(cleanValue).filter((part) => part !== null)
  return cleaned.length === 0 ? null : cleaned.join(separator)
}
