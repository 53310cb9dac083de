/**
 * Weighted Damerau-Levenshtein distance (optimal string alignment) over the symbols of `spellingOf`: what changes
 * between two transliterations of one name is cheap, what changes between two names is dear.
 */
const alphabet = 'abcdefghijklmnopqrstuvwxyzSCKGTDZEO0123456789'
export const symbolCount = alphabet.length + 1

const codes = new Uint8Array(128)
for (let at = 0; at < alphabet.length; at++) codes[alphabet.charCodeAt(at)] = at + 1

/** Symbols as small integers; 0 is any other character. */
export function encodeSymbols(spelled: string): Uint8Array {
  const symbols = new Uint8Array(spelled.length)
  for (let at = 0; at < spelled.length; at++) symbols[at] = codes[spelled.charCodeAt(at) & 127] ?? 0
  return symbols
}

const near: readonly (readonly [string, number])[] = [
  ['ae', 0.3],
  ['ei', 0.25],
  ['ou', 0.2],
  ['ao', 0.35],
  ['ai', 0.4],
  ['au', 0.4],
  ['eo', 0.4],
  ['iu', 0.4],
  ['io', 0.45],
  ['eu', 0.4],
  ['aE', 0.3],
  ['eE', 0.2],
  ['iE', 0.3],
  ['oO', 0.2],
  ['uO', 0.3],
  ['aO', 0.3],
  ['iy', 0.1],
  ['ey', 0.3],
  ['yj', 0.2],
  ['ij', 0.3],
  ['Ey', 0.3],
  ['Ej', 0.3],
  ['kq', 0.15],
  ['gq', 0.35],
  ['Gq', 0.35],
  ['KG', 0.5],
  ['gG', 0.2],
  ['Kh', 0.2],
  ['Kk', 0.25],
  ['KC', 0.4],
  ['hC', 0.45],
  ['hg', 0.5],
  ['gk', 0.5],
  ['ck', 0.4],
  ['cs', 0.35],
  ['cC', 0.4],
  ['SC', 0.35],
  ['Ss', 0.4],
  ['sz', 0.3],
  ['Cj', 0.35],
  ['jZ', 0.2],
  ['jz', 0.5],
  ['zZ', 0.4],
  ['jg', 0.35],
  ['Sj', 0.5],
  ['tT', 0.15],
  ['dD', 0.15],
  ['Ts', 0.35],
  ['Dz', 0.3],
  ['td', 0.45],
  ['vf', 0.4],
  ['vu', 0.35],
  ['vb', 0.45],
  ['bp', 0.45],
  ['mn', 0.7],
  ['lr', 0.75],
  ['jh', 0.5],
  ['zT', 0.5],
]

const substitution = new Float32Array(symbolCount * symbolCount).fill(1)
for (let at = 0; at < symbolCount; at++) substitution[at * symbolCount + at] = 0
for (const [pair, cost] of near) {
  const [a, b] = encodeSymbols(pair)
  substitution[(a ?? 0) * symbolCount + (b ?? 0)] = cost
  substitution[(b ?? 0) * symbolCount + (a ?? 0)] = cost
}

const insertion = new Float32Array(symbolCount).fill(1)
for (const symbol of encodeSymbols('aeiouEO')) insertion[symbol] = 0.45
for (const symbol of encodeSymbols('hy')) insertion[symbol] = 0.4

const transposition = 0.8
const width = 64
const rows = [new Float32Array(width), new Float32Array(width), new Float32Array(width)] as const

/**
 * Distance of two encoded spellings, or `limit` + 1 as soon as it must exceed `limit`. With `freeVowels`, a
 * vowel of `b` that `a` lacks costs next to nothing (Arabic and Hebrew do not write short vowels).
 */
export function editDistance(a: Uint8Array, b: Uint8Array, limit: number, freeVowels = false): number {
  const columns = Math.min(b.length, width - 1)
  let [beforeLast, last, current] = rows
  last[0] = 0
  for (let j = 1; j <= columns; j++) last[j] = last[j - 1]! + insertionCost(b[j - 1]!, freeVowels)
  const length = Math.min(a.length, width - 1)
  for (let i = 1; i <= length; i++) {
    const symbol = a[i - 1]!
    const drop = insertion[symbol]!
    const base = symbol * symbolCount
    current[0] = last[0]! + drop
    let least = current[0]!
    for (let j = 1; j <= columns; j++) {
      const other = b[j - 1]!
      let cost = last[j - 1]! + substitution[base + other]!
      const dropped = last[j]! + drop
      if (dropped < cost) cost = dropped
      const added = current[j - 1]! + insertionCost(other, freeVowels)
      if (added < cost) cost = added
      if (i > 1 && j > 1 && symbol === b[j - 2] && other === a[i - 2] && symbol !== other) {
        const swapped = beforeLast[j - 2]! + transposition
        if (swapped < cost) cost = swapped
      }
      current[j] = cost
      if (cost < least) least = cost
    }
    // A transposition may still reach back one row, so the row before counts too.
    if (least > limit + transposition) return limit + 1
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return last[columns]!
}

const vowelCodes = new Set(encodeSymbols('aeiouEO'))
const isVowel = new Uint8Array(symbolCount)
for (const symbol of vowelCodes) isVowel[symbol] = 1
const unwrittenVowel = 0.12

function insertionCost(symbol: number, freeVowels: boolean): number {
  return freeVowels && isVowel[symbol] === 1 ? unwrittenVowel : insertion[symbol]!
}

/** What it costs that one symbol stands for another, 0 to 1. */
export function substitutionCost(a: number, b: number): number {
  return substitution[a * symbolCount + b]!
}
