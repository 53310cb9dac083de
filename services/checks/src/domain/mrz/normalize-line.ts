/** Characters that readers return for a filler, and letters outside A to Z that resemble one inside. */
const replacements: Readonly<Record<string, string>> = {
  '\u00ab': '<',
  '\u2039': '<',
  '\u3008': '<',
  '\u300a': '<',
  '\u2264': '<',
  '\u227a': '<',
  '\u226a': '<',
  '(': '<',
  '{': '<',
  '[': '<',
  $: 'S',
  '\u20ac': 'E',
  '\u00d8': '0',
  '\u00a7': '5',
}

/** One line as read, reduced to the MRZ alphabet. */
export interface NormalizedLine {
  text: string
  /** Positions in `text` that were preceded by white space. */
  breaks: readonly number[]
}

const longestLine = 200

/** Converts to upper case, replaces confusable characters, and removes everything outside A to Z, 0 to 9 and `<`. */
export function normalizeLine(line: string): NormalizedLine {
  let text = ''
  const breaks: number[] = []
  const length = Math.min(line.length, longestLine)
  for (let index = 0; index < length; index++) {
    const code = line.charCodeAt(index)
    if ((code >= 48 && code <= 57) || code === 60 || (code >= 65 && code <= 90)) text += line[index]
    else if (code >= 97 && code <= 122) text += String.fromCharCode(code - 32)
    else if (code === 32 || code === 9) {
      if (text.length > 0 && breaks.at(-1) !== text.length) breaks.push(text.length)
    } else {
      const replacement = replacements[line[index]!]
      if (replacement !== undefined) text += replacement
    }
  }
  return { text, breaks }
}
