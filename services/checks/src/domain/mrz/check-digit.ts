/**
 * Character values of ICAO 9303-3 section 4.9: digits have their own value, A to Z 10 to 35, filler 0; 255 for anything
 * else.
 */
export const characterValues: Uint8Array = (() => {
  const values = new Uint8Array(128).fill(255)
  for (let digit = 0; digit < 10; digit++) values[48 + digit] = digit
  for (let letter = 0; letter < 26; letter++) values[65 + letter] = 10 + letter
  values[60] = 0
  return values
})()

/** The weights of ICAO 9303-3 section 4.9, repeated from the first character of the checked string. */
export const weights: readonly [number, number, number] = [7, 3, 1]

/**
 * Weighted sum modulo 10 of `line[start, end)`, with weights starting at `phase` (0 to 2), or -1 for a character
 * outside the MRZ alphabet. ICAO 9303-3 section 4.9; `phase` continues a composite digit over several pieces.
 */
export function weightedSum(line: string, start: number, end: number, phase = 0): number {
  let sum = 0
  let turn = phase
  for (let position = start; position < end; position++) {
    const code = line.charCodeAt(position)
    const value = code < 128 ? characterValues[code]! : 255
    if (value === 255) return -1
    sum += turn === 0 ? value * 7 : turn === 1 ? value * 3 : value
    turn = turn === 2 ? 0 : turn + 1
  }
  return sum % 10
}

/**
 * The check digit of a string, as a digit character; null when the string contains a character outside the MRZ
 * alphabet.
 */
export function checkDigit(text: string): string | null {
  const sum = weightedSum(text, 0, text.length)
  return sum < 0 ? null : String(sum)
}
