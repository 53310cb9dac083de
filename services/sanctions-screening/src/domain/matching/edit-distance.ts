/**
 * Weighted Damerau-Levenshtein distance (optimal string alignment) over the symbols of `spellingOf`. Edits that occur
 * between transliterations of one name cost little; edits that occur between different names cost much.
 */
const alphabet = 'abcdefghijklmnopqrstuvwxyzSCKGTDZEO0123456789'
export const symbolCount = alphabet.length + 1

const codes = new Uint8Array(128)
for (let position = 0; position < alphabet.length; position++)
  codes[alphabet.charCodeAt(position)] = position + 1

/** Encodes symbols as small integers; 0 stands for any other character. */
export function encodeSymbols(spelled: string): Uint8Array {
  const symbols = new Uint8Array(spelled.length)
  for (let i = 0; i < spelled.length; i++) symbols[i] = codes[spelled.charCodeAt(i) & 127] ?? 0
  return symbols
}

const substitutionPairs: readonly (readonly [string, number])[] = [
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

const substitutionCosts = new Float32Array(symbolCount * symbolCount).fill(1)
for (let position = 0; position < symbolCount; position++)
  substitutionCosts[position * symbolCount + position] = 0
for (const [pair, cost] of substitutionPairs) {
  const [a, b] = encodeSymbols(pair)
  substitutionCosts[(a ?? 0) * symbolCount + (b ?? 0)] = cost
  substitutionCosts[(b ?? 0) * symbolCount + (a ?? 0)] = cost
}

const insertionCosts = new Float32Array(symbolCount).fill(1)
for (const symbol of encodeSymbols('aeiouEO')) insertionCosts[symbol] = 0.45
export const minInsertionCost = 0.4
for (const symbol of encodeSymbols('hy')) insertionCosts[symbol] = minInsertionCost

const transpositionCost = 0.8
const maxColumns = 64
const rows = [
  new Float32Array(maxColumns),
  new Float32Array(maxColumns),
  new Float32Array(maxColumns),
] as const

/** Cost of inserting a vowel where the script of the other word does not write short vowels. */
const unwrittenVowelCost = 0.12
const insertionCostsUnwrittenVowels = insertionCosts.slice()
for (const symbol of encodeSymbols('aeiouEO')) insertionCostsUnwrittenVowels[symbol] = unwrittenVowelCost

/**
 * Distance of two encoded spellings, `a` from `aFrom` to `aTo` and `b` from `bFrom` to `bTo`. Returns a number above
 * `limit` as soon as the distance must exceed it. With `freeVowels`, a vowel that only `b` has costs almost nothing,
 * because Arabic and Hebrew do not write short vowels. Common prefixes and suffixes are skipped.
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
  let aEnd = Math.min(aTo, aFrom + maxColumns - 1)
  let bEnd = Math.min(bTo, bFrom + maxColumns - 1)
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
    aStart++
    bStart++
  }
  while (aEnd > aStart && bEnd > bStart && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--
    bEnd--
  }
  const addCosts = freeVowels ? insertionCostsUnwrittenVowels : insertionCosts
  const columns = bEnd - bStart
  let [secondPreviousRow, previousRow, currentRow] = rows
  previousRow[0] = 0
  for (let j = 1; j <= columns; j++) previousRow[j] = previousRow[j - 1]! + addCosts[b[bStart + j - 1]!]!
  let previousRowMinimum = 0
  for (let i = aStart; i < aEnd; i++) {
    const symbol = a[i]!
    const deletionCost = insertionCosts[symbol]!
    const base = symbol * symbolCount
    let leftCost = previousRow[0]! + deletionCost
    currentRow[0] = leftCost
    let rowMinimum = leftCost
    for (let j = 1; j <= columns; j++) {
      const other = b[bStart + j - 1]!
      let cost = previousRow[j - 1]! + substitutionCosts[base + other]!
      const afterDeletion = previousRow[j]! + deletionCost
      if (afterDeletion < cost) cost = afterDeletion
      leftCost += addCosts[other]!
      if (leftCost < cost) cost = leftCost
      if (i > aStart && j > 1 && symbol === b[bStart + j - 2] && other === a[i - 1] && symbol !== other) {
        const afterTransposition = secondPreviousRow[j - 2]! + transpositionCost
        if (afterTransposition < cost) cost = afterTransposition
      }
      currentRow[j] = cost
      leftCost = cost
      if (cost < rowMinimum) rowMinimum = cost
    }
    // A transposition can still skip this row.
    if (rowMinimum > limit && previousRowMinimum + transpositionCost > limit) return limit + 1
    previousRowMinimum = rowMinimum
    ;[secondPreviousRow, previousRow, currentRow] = [previousRow, currentRow, secondPreviousRow]
  }
  return previousRow[columns]!
}

/** Cost of substituting one symbol for another, 0 to 1. */
export function substitutionCost(a: number, b: number): number {
  return substitutionCosts[a * symbolCount + b]!
}

/** Consonants that transliterations interchange share a group, and so a bit. */
const consonantGroups = ['kqc', 'dD', 'tT', 'szSZ', 'gG', 'hK', 'jCy', 'bp', 'vfw', 'l', 'r', 'm', 'n', 'x']
const consonantBit = new Int32Array(symbolCount)
consonantGroups.forEach((group, bit) => {
  for (const symbol of encodeSymbols(group)) consonantBit[symbol] = 1 << bit
})

/** The consonant groups of a spelling, one bit each. Spellings that differ in many groups cannot be variants. */
export function consonantGroupsOf(symbols: Uint8Array): number {
  let groups = 0
  for (const symbol of symbols) groups |= consonantBit[symbol]!
  return groups
}

export function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555)
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333)
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
