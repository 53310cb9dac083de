/** Replaces `<` by spaces and trims both ends. */
export function withoutFillers(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 60) end--
  let start = 0
  while (start < end && text.charCodeAt(start) === 60) start++
  const inner = text.slice(start, end)
  return inner.indexOf('<') < 0 ? inner : inner.replaceAll('<', ' ')
}

const single = (name: string): string => (name.indexOf('  ') < 0 ? name : name.replace(/ {2,}/g, ' '))

/**
 * The name field: primary identifier, two fillers, secondary identifier (ICAO 9303-3 section 4.6). Without a
 * secondary identifier the given names are empty; further double fillers only separate given names.
 */
export function splitNames(field: string): { surname: string; given_names: string } {
  const separator = field.indexOf('<<')
  if (separator < 0) return { surname: single(withoutFillers(field)), given_names: '' }
  return {
    surname: single(withoutFillers(field.slice(0, separator))),
    given_names: single(withoutFillers(field.slice(separator))),
  }
}
