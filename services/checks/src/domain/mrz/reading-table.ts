import { characterValues } from './check-digit.ts'
import type { Candidate } from './confusions.ts'

/** One way to read a run of characters. */
export interface Reading {
  text: string
  /** Negative logarithm: cost of the misreadings plus how rare the characters are at their positions. */
  cost: number
  /** Weighted sum modulo 10 that the run adds to the composite check digit. */
  composite: number
}

export interface Position {
  candidates: readonly Candidate[]
  /** Weight in the field's own check digit; 0 when it is not covered. */
  own: number
  /** Weight in the composite check digit; 0 when it is not covered. */
  composite: number
}

/** Readings retained for each pair of residues: the best, and one more to detect a rival. */
export const kept = 2
/** Readings that cost this much more than the best (one in 60,000) are discarded. */
export const bound = 11
const free = Number.POSITIVE_INFINITY

/** The readings of a run up to one position: for each slot its cost, its last character, and its predecessor. */
interface Step {
  costs: Float64Array
  codes: Uint8Array
  from: Uint8Array
  /** The states that have a reading; only a few of all states. */
  states: number[]
  /**
   * The character that every reading has here and that adds nothing, as in a run of fillers; the states are unchanged.
   */
  only: number | null
}

/**
 * Slots: own residue times ten plus composite residue, times the number retained; ten residues for runs without their
 * own check digit.
 */
const newStep = (slots: number): Step => ({
  costs: new Float64Array(slots).fill(free),
  codes: new Uint8Array(slots),
  from: new Uint8Array(slots),
  states: [],
  only: null,
})

/** Retains a reading when it is among the best of its residues. */
function keep(step: Step, state: number, cost: number, code: number, from: number): void {
  let slot = state * kept
  if (cost >= step.costs[slot + 1]!) return
  if (step.costs[slot] === free) step.states.push(state)
  if (cost < step.costs[slot]!) {
    step.costs[slot + 1] = step.costs[slot]!
    step.codes[slot + 1] = step.codes[slot]!
    step.from[slot + 1] = step.from[slot]!
  } else slot++
  step.costs[slot] = cost
  step.codes[slot] = code
  step.from[slot] = from
}

/** What a candidate adds to the residues, computed once for all states. */
interface Addition {
  code: number
  cost: number
  own: number
  composite: number
}

function additionsOf({ candidates, own, composite }: Position): Addition[] {
  return candidates.map(({ code, cost }) => {
    const value = characterValues[code]!
    return { code, cost, own: (own * value) % 10, composite: (composite * value) % 10 }
  })
}

const wrap = (residue: number): number => (residue < 10 ? residue : residue - 10)

function start(position: Position, slots: number): Step {
  const step = newStep(slots)
  for (const { code, cost, own, composite } of additionsOf(position))
    keep(step, own * 10 + composite, cost, code, 0)
  return step
}

function advance(previous: Step, position: Position, slots: number): Step {
  const additions = additionsOf(position)
  const [first] = additions
  if (additions.length === 1 && first!.cost + first!.own + first!.composite === 0)
    return { ...previous, only: first!.code }
  const step = newStep(slots)
  let limit = free
  for (const state of previous.states) limit = Math.min(limit, previous.costs[state * kept]! + bound)
  for (const state of previous.states) {
    const ownBefore = (state / 10) | 0
    const compositeBefore = state % 10
    for (let slot = state * kept; slot < (state + 1) * kept; slot++) {
      const before = previous.costs[slot]!
      if (before > limit || before === free) continue
      for (const { code, cost, own, composite } of additions) {
        const next = wrap(ownBefore + own) * 10 + wrap(compositeBefore + composite)
        keep(step, next, before + cost, code, slot)
      }
    }
  }
  return step
}

function textOf(steps: readonly Step[], slot: number): string {
  const codes = new Array<number>(steps.length)
  let at = slot
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index]!
    codes[index] = step.only ?? step.codes[at]!
    if (step.only === null) at = step.from[at]!
  }
  return String.fromCharCode(...codes)
}

function stepsOf(positions: readonly Position[]): Step[] {
  const steps: Step[] = []
  const slots = (positions.some(({ own }) => own > 0) ? 100 : 10) * kept
  let step: Step | null = null
  for (const position of positions) {
    step = step === null ? start(position, slots) : advance(step, position, slots)
    steps.push(step)
  }
  return steps
}

/** The cheapest readings of a run without its own check digit, for each residue it may add to the composite. */
export function readRun(positions: readonly Position[]): Reading[] {
  if (positions.length === 0) return [{ text: '', cost: 0, composite: 0 }]
  const steps = stepsOf(positions)
  const { costs } = steps.at(-1)!
  const readings: Reading[] = []
  for (let slot = 0; slot < costs.length; slot++) {
    if (costs[slot]! === free) continue
    readings.push({ text: textOf(steps, slot), cost: costs[slot]!, composite: ((slot / kept) | 0) % 10 })
  }
  return readings
}

/** The cheapest readings of a field together with a matching check digit. */
export function readCheckedRun(field: readonly Position[], check: Position): Reading[] {
  const steps = stepsOf(field)
  const { costs } = steps.at(-1)!
  const readings: Reading[] = []
  for (const { code, cost } of check.candidates) {
    const value = characterValues[code]!
    for (let composite = 0; composite < 10; composite++) {
      for (let rank = 0; rank < kept; rank++) {
        const slot = (value * 10 + composite) * kept + rank
        if (value > 9 || costs[slot]! === free) continue
        readings.push({
          text: textOf(steps, slot) + String.fromCharCode(code),
          cost: costs[slot]! + cost,
          composite: (composite + check.composite * value) % 10,
        })
      }
    }
  }
  return readings
}

/** A reading of several runs together. */
export interface JointReading {
  texts: readonly string[]
  cost: number
  composite: number
}

/** Joint readings retained for each residue while runs are joined. */
const jointKept = 3

/**
 * The cheapest joint readings of independent runs for each residue of the composite sum: at most three per residue.
 * Empty when one of the runs has no reading.
 */
export function joinRuns(runs: readonly (readonly Reading[])[]): JointReading[] {
  let joint: JointReading[] = [{ texts: [], cost: 0, composite: 0 }]
  for (const run of runs) {
    const next: JointReading[] = []
    let least = free
    for (const left of joint) for (const right of run) least = Math.min(least, left.cost + right.cost)
    for (const left of joint) {
      for (const right of run) {
        const cost = left.cost + right.cost
        if (cost > least + bound) continue
        next.push({
          texts: [...left.texts, right.text],
          cost,
          composite: (left.composite + right.composite) % 10,
        })
      }
    }
    next.sort((a, b) => a.cost - b.cost)
    const counts = new Uint8Array(10)
    joint = next.filter((reading) => counts[reading.composite]!++ < jointKept)
  }
  return joint
}
