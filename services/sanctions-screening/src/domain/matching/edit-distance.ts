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
export const leastInsertion = 0.4
for (const symbol of encodeSymbols('hy')) insertion[symbol] = leastInsertion

const transposition = 0.8
const width = 64
const rows = [new Float32Array(width), new Float32Array(width), new Float32Array(width)] as const

/** Insertion where the other word's script does not write short vowels. */
const unwrittenVowel = 0.12
const insertionUnwritten = insertion.slice()
for (const symbol of encodeSymbols('aeiouEO')) insertionUnwritten[symbol] = unwrittenVowel

/**
 * Distance of two encoded spellings, `a` from `aFrom` to `aTo` and `b` likewise, or a number above `limit` as soon as it
 * must exceed `limit`. With `freeVowels`, a vowel of `b` that `a` lacks costs next to nothing (Arabic and Hebrew do not
 * write short vowels). Equal ends are left out first.
 */
export function editDistance(
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
  limit: number,
  freeVowels = false,
): number {
  let aStart = aFrom
  let bStart = bFrom
  let aEnd = Math.min(aTo, aFrom + width - 1)
  let bEnd = Math.min(bTo, bFrom + width - 1)
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
    aStart++
    bStart++
  }
  while (aEnd > aStart && bEnd > bStart && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--
    bEnd--
  }
  const added = freeVowels ? insertionUnwritten : insertion
  const columns = bEnd - bStart
  let [beforeLast, last, current] = rows
  last[0] = 0
  for (let j = 1; j <= columns; j++) last[j] = last[j - 1]! + added[b[bStart + j - 1]!]!
  let leastOfLast = 0
  for (let i = aStart; i < aEnd; i++) {
    const symbol = a[i]!
    const drop = insertion[symbol]!
    const base = symbol * symbolCount
    let left = last[0]! + drop
    current[0] = left
    let least = left
    for (let j = 1; j <= columns; j++) {
      const other = b[bStart + j - 1]!
      let cost = last[j - 1]! + substitution[base + other]!
      const dropped = last[j]! + drop
      if (dropped < cost) cost = dropped
      left += added[other]!
      if (left < cost) cost = left
      if (i > aStart && j > 1 && symbol === b[bStart + j - 2] && other === a[i - 1] && symbol !== other) {
        const swapped = beforeLast[j - 2]! + transposition
        if (swapped < cost) cost = swapped
      }
      current[j] = cost
      left = cost
      if (cost < least) least = cost
    }
    // A transposition may still reach back over this row.
    if (least > limit && leastOfLast + transposition > limit) return limit + 1
    leastOfLast = least
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return last[columns]!
}

/** What it costs that one symbol stands for another, 0 to 1. */
export function substitutionCost(a: number, b: number): number {
  return substitution[a * symbolCount + b]!
}

/** Consonants that a transliteration may exchange share a bit. */
const soundGroups = ['kqc', 'dD', 'tT', 'szSZ', 'gG', 'hK', 'jCy', 'bp', 'vfw', 'l', 'r', 'm', 'n', 'x']
const soundBit = new Int32Array(symbolCount)
soundGroups.forEach((group, bit) => {
  for (const symbol of encodeSymbols(group)) soundBit[symbol] = 1 << bit
})

/** The consonant groups of a spelling, one bit each: spellings that differ in many are no variants of each other. */
export function soundsOf(symbols: Uint8Array): number {
  let sounds = 0
  for (const symbol of symbols) sounds |= soundBit[symbol]!
  return sounds
}

export function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
