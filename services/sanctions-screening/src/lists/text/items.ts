import { clean } from './clean.ts'

// `a) x b) y`, `(1) x. (2) y`, `1) x 2) y`: a marker is at the start or after whitespace or punctuation.
const marker = /(?:^|(?<=[\s;,.]))\(?(?:[a-h]|[ivx]{1,4}|\d{1,2})\)\s*/gi

/**
 * Splits a field that contains several lettered or numbered items. Text that does not begin with a marker is one item,
 * because a marker inside prose (`born in a) ...`) does not make a list.
 */
export function splitMarkedItems(text: string | null | undefined): string[] {
  const value = clean(text)
  if (value === null) return []
  const first = value.search(marker)
  if (first !== 0) return [value]
  return value
    .split(marker)
    .map((item) => clean(item.replace(/[\s;,.]+$/, '')))
    .filter((item) => item !== null)
}
