/**
 * The canonical form of a JSON value (RFC 8785): names sorted by UTF-16 code units, no white space, numbers and strings
 * as in ECMAScript. Throws a TypeError for values that JSON cannot represent unchanged: an undefined or non-finite
 * value, a lone surrogate, an object that is not plain.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return numberOf(value)
  if (typeof value === 'string') return stringOf(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && isPlain(value)) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${members.map(([name, member]) => `${stringOf(name)}:${canonicalJson(member)}`).join(',')}}`
  }
  throw new TypeError(`a ${typeof value} has no canonical JSON`)
}

function numberOf(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('a number that is not finite has no canonical JSON')
  return JSON.stringify(value)
}

/** A lone surrogate would change in UTF-8, and with it the signed bytes. */
function stringOf(value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw new TypeError('a lone surrogate has no canonical JSON')
  return JSON.stringify(value)
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    prototype === null ||
    prototype === Object.prototype ||
    Object.getPrototypeOf(prototype as object) === null
  )
}
