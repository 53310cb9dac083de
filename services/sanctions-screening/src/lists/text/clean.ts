// Bidirectional controls and the byte-order mark carry no meaning in a name; lists are pasted from documents that hold them.
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u00ad]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const blanks = /[\s\u0000-\u001f\u007f-\u009f]+/g

/** Printable ASCII with single blanks inside: most values, and already clean. */
const alreadyClean = /^[!-~]+(?: [!-~]+)*$/

/** NFC, invisible characters dropped, every run of blanks one space, trimmed; null when nothing is left. */
export function clean(text: string | null | undefined): string | null {
  if (!text) return null
  if (alreadyClean.test(text)) return text
  const result = text.normalize('NFC').replace(invisible, '').replace(blanks, ' ').trim()
  return result === '' ? null : result
}

const placeholders = new Set(['-', '-0-', 'na', 'n/a', 'none', 'unknown', 'nil', 'not available'])

/** As `clean`, and null for what publishers write when they know nothing (`-0-`, `na`, `unknown`). */
export function cleanValue(text: string | null | undefined): string | null {
  const value = clean(text)
  return value === null || placeholders.has(value.toLowerCase()) ? null : value
}

/** The cleaned parts joined, null when all are empty. */
export function joinCleaned(parts: readonly (string | null | undefined)[], separator: string): string | null {
  const kept = parts.map(cleanValue).filter((part) => part !== null)
  return kept.length === 0 ? null : kept.join(separator)
}
