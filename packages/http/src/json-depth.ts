/** Maximum nesting depth of containers in a JSON body; `{"a":[1]}` has two levels. */
export const maxJsonDepth = 32

const [quote, backslash, openArray, closeArray, openObject, closeObject] = Buffer.from('"\\[]{}')

/**
 * Whether a JSON text nests deeper than `limit`. Checks the bytes before they are parsed and without recursion, so that
 * later code can recurse over the parsed value. All six bytes it compares are ASCII and therefore never part of another
 * character in UTF-8. For a text that is not JSON the result is arbitrary, because the parser rejects it anyway.
 */
export function isNestedDeeperThan(limit: number, text: Uint8Array): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]
    if (inString) {
      if (byte === backslash) at++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === openObject || byte === openArray) {
      depth++
      if (depth > limit) return true
    } else if (byte === closeObject || byte === closeArray) depth--
  }
  return false
}
