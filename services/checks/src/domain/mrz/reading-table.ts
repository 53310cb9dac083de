import { characterValues } from './check-digit.ts'
import type { Candidate } from './confusions.ts'

/** One way to read a run of characters. */
export interface Reading {
  text: string
  /** Negative logarithm: misreadings plus how rare the characters are where they stand. */
  cost: number
  /** Weighted sum modulo 10 of the field's own check digit so far. */
  own: number
  /** Weighted sum modulo 10 that the run adds to the composite check digit. */
  composite: number
}

/** How many readings are kept for each residue: enough to see whether the best has a rival. */
const rivals = 3
/** Readings that cost this much more than the best (one in 160,000) are not followed. */
const bound = 12

export interface Position {
  candidates: readonly Candidate[]
  /** Weight in the field's own check digit; 0 when it takes no part. */
  own: number
  /** Weight in the composite check digit; 0 when it takes no part. */
  composite: number
}

/** The cheapest readings of each pair of residues. */
function prune(readings: Reading[]): Reading[] {
  readings.sort((a, b) => a.cost - b.cost)
  const limit = (readings[0]?.cost ?? 0) + bound
  const kept: Reading[] = []
  const counts = new Uint8Array(100)
  for (const reading of readings) {
    if (reading.cost > limit) break
    const state = reading.own * 10 + reading.composite
    if (counts[state]! >= rivals) continue
    counts[state]!++
    kept.push(reading)
  }
  return kept
}

const emptyReading: Reading = { text: '', cost: 0, own: 0, composite: 0 }

/** All readings worth following of a run of positions, the cheapest of each residue. */
export function readRun(positions: readonly Position[]): Reading[] {
  let readings: Reading[] = [emptyReading]
  for (const { candidates, own, composite } of positions) {
    const next: Reading[] = []
    for (const { code, cost } of candidates) {
      const value = characterValues[code]!
      const character = String.fromCharCode(code)
      for (const reading of readings) {
        next.push({
          text: reading.text + character,
          cost: reading.cost + cost,
          own: (reading.own + own * value) % 10,
          composite: (reading.composite + composite * value) % 10,
        })
      }
    }
    readings = candidates.length > 1 ? prune(next) : next
  }
  return readings
}

/** The readings of a field together with its check digit that agrees with it. */
export function readCheckedRun(field: readonly Position[], check: Position): Reading[] {
  const checked: Reading[] = []
  const readings = readRun(field)
  for (const { code, cost } of check.candidates) {
    const value = characterValues[code]!
    for (const reading of readings) {
      if (reading.own !== value) continue
      checked.push({
        text: reading.text + String.fromCharCode(code),
        cost: reading.cost + cost,
        own: 0,
        composite: (reading.composite + check.composite * value) % 10,
      })
    }
  }
  return prune(checked)
}

/** A reading of several runs side by side. */
export interface JointReading {
  texts: readonly string[]
  cost: number
  composite: number
}

/**
 * The cheapest joint readings of independent runs whose composite sum is each residue: at most three a residue.
 * Empty when one of the runs has no reading.
 */
export function joinRuns(runs: readonly (readonly Reading[])[]): JointReading[] {
  let joint: JointReading[] = [{ texts: [], cost: 0, composite: 0 }]
  for (const run of runs) {
    const next: JointReading[] = []
    for (const left of joint) {
      for (const right of run) {
        next.push({
          texts: [...left.texts, right.text],
          cost: left.cost + right.cost,
          composite: (left.composite + right.composite) % 10,
        })
      }
    }
    next.sort((a, b) => a.cost - b.cost)
    const counts = new Uint8Array(10)
    const limit = (next[0]?.cost ?? 0) + bound
    joint = next.filter((reading) => reading.cost <= limit && counts[reading.composite]!++ < rivals)
  }
  return joint
}
