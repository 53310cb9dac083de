import { MRZ_ALPHABET } from './mrz-template.ts'
import type { LineProbabilities } from './text-recognizer.ts'

/**
 * Characters that multi-script recognisers return in place of MRZ characters; their probability is added to the MRZ
 * character.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  '<': 'くㄑ《〈«‹＜≤┌',
  '0': '０〇○',
  O: 'ОΟ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'С',
  E: 'ЕΕ',
  H: 'НΗ',
  I: 'ІΙ|丨',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  P: 'РΡ',
  T: 'ТΤ',
  X: 'ХΧ',
  Y: 'УΥ',
  Z: 'Ζ',
}

/** For each character of `MRZ_ALPHABET`, the recogniser's classes that represent it. */
export type MrzClasses = readonly (readonly number[])[]

export function mrzClasses(characters: readonly string[]): MrzClasses {
  const index = new Map(characters.map((c, i) => [c, i] as const))
  return [...MRZ_ALPHABET].map((c) =>
    [...new Set([c, c.toLowerCase(), ...(lookAlikes[c] ?? '')])].flatMap((like) => index.get(like) ?? []),
  )
}

const WIDTH = MRZ_ALPHABET.length
export const LATTICE_WIDTH = WIDTH + 1
/** Minimum probability, so that a single time step cannot rule out a whole line. */
const FLOOR = 1e-5

/** Log probabilities per time step over blank (first) and the MRZ's 37 characters. */
export interface MrzLattice {
  readonly steps: number
  readonly data: Float64Array
}

export function mrzLattice(line: LineProbabilities, classes: MrzClasses): MrzLattice {
  const data = new Float64Array(line.steps * LATTICE_WIDTH)
  for (let t = 0; t < line.steps; t++) {
    const from = t * line.classes
    const to = t * LATTICE_WIDTH
    data[to] = Math.log(Math.max(FLOOR, line.data[from]!))
    for (let c = 0; c < WIDTH; c++) {
      let p = 0
      for (const k of classes[c]!) p += line.data[from + k]!
      data[to + 1 + c] = Math.log(Math.max(FLOOR, p))
    }
  }
  return { steps: line.steps, data }
}

/** Best path over the MRZ alphabet alone, of any length. */
export function decodeFree(lattice: MrzLattice): string {
  let text = ''
  let previous = 0
  for (let t = 0; t < lattice.steps; t++) {
    let best = 0
    for (let k = 1; k < LATTICE_WIDTH; k++) {
      if (lattice.data[t * LATTICE_WIDTH + k]! > lattice.data[t * LATTICE_WIDTH + best]!) best = k
    }
    if (best !== 0 && best !== previous) text += MRZ_ALPHABET[best - 1]!
    previous = best
  }
  return text
}

export interface PositionScores {
  /** Log probability of the best permitted line. */
  readonly best: number
  /** Log probability of the best permitted line with that character there; -Infinity where it is not allowed. */
  readonly at: (position: number, character: number) => number
}

/**
 * Scores every allowed character of every position of a line of fixed length: the log probability of the best
 * alignment that has it there (max-marginals of connectionist temporal classification, forwards and backwards).
 * Null when the line has fewer time steps than characters. `template[position]` lists the allowed characters.
 */
export function decodeFixed(
  lattice: MrzLattice,
  template: readonly (readonly number[])[],
): PositionScores | null {
  const length = template.length
  const { steps, data } = lattice
  if (steps < length) return null
  const forward = sweep(lattice, template, false)
  const backward = sweep(lattice, template, true)
  const scores = new Float64Array(length * WIDTH).fill(-Infinity)
  let best = -Infinity
  for (let t = 0; t < steps; t++) {
    // Positions that the remaining steps cannot reach are -Infinity anyway.
    const first = Math.max(0, length - (steps - t))
    const last = Math.min(length - 1, t)
    for (let i = first; i <= last; i++) {
      for (const c of template[i]!) {
        const at = (t * length + i) * WIDTH + c
        // Both sweeps include this step's emission, so subtract it once.
        const total = forward[at]! + backward[at]! - data[t * LATTICE_WIDTH + 1 + c]!
        if (total > scores[i * WIDTH + c]!) scores[i * WIDTH + c] = total
      }
    }
  }
  for (const score of scores) if (score > best) best = score
  return { best, at: (position, character) => scores[position * WIDTH + character]! }
}

/**
 * Viterbi scores of every (step, position, character), from the start, or from the end when `reverse`.
 * A state is a character at a position, or the blank after it; equal neighbours need a blank between them.
 */
function sweep(
  lattice: MrzLattice,
  template: readonly (readonly number[])[],
  reverse: boolean,
): Float64Array {
  const { steps, data } = lattice
  const length = template.length
  const size = length * WIDTH
  // Comparisons instead of Math.max, because this is the inner loop of the whole MRZ decoding.
  const out = new Float64Array(steps * size).fill(-Infinity)
  // blank[n]: best score with n positions done and a blank just read.
  let blank = new Float64Array(length + 1).fill(-Infinity)
  let nextBlank = new Float64Array(length + 1)
  for (let n = 0; n < steps; n++) {
    const t = reverse ? steps - 1 - n : n
    const emit = t * LATTICE_WIDTH
    const current = t * size
    const previous = n === 0 ? -1 : (reverse ? t + 1 : t - 1) * size
    nextBlank.fill(-Infinity)
    const reach = Math.min(length, n + 1)
    for (let done = 0; done <= reach; done++) {
      // The best and second best character of the previous position: a repeated character needs a blank before it.
      let first = -Infinity
      let second = -Infinity
      let firstCharacter = -1
      if (done > 0 && previous >= 0) {
        const before = reverse ? length - done : done - 1
        const base = previous + before * WIDTH
        for (const c of template[before]!) {
          const score = out[base + c]!
          if (score > first) {
            second = first
            first = score
            firstCharacter = c
          } else if (score > second) second = score
        }
      }
      const open = done === 0 && n === 0 ? 0 : blank[done]!
      nextBlank[done] = Math.max(open, first) + data[emit]!
      if (done === length) continue
      const position = reverse ? length - 1 - done : done
      const base = position * WIDTH
      for (const c of template[position]!) {
        let before = c === firstCharacter ? second : first
        if (open > before) before = open
        if (previous >= 0 && out[previous + base + c]! > before) before = out[previous + base + c]!
        out[current + base + c] = before + data[emit + 1 + c]!
      }
    }
    const swap = blank
    blank = nextBlank
    nextBlank = swap
  }
  return out
}
