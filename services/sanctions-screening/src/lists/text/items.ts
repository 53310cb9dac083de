import { clean } from './clean.ts'

// `a) x b) y`, `(1) x. (2) y`, `1) x 2) y`: a marker stands at the start or after a blank or punctuation.
const marker = /(?:^|(?<=[\s;,.]))\(?(?:[a-h]|[ivx]{1,4}|\d{1,2})\)\s*/gi

/**
 * The alternatives that a publisher wrote into one field with letters or numbers. Text without such marks is one item.
 * A lone mark inside prose (`born in a) ...`) is no list: the field must begin with one.
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
