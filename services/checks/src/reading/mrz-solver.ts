import type { Today } from '../domain/mrz/dates.ts'
import { readLines } from '../domain/mrz/read-lines.ts'
import { isListedStateField } from '../domain/mrz/states.ts'
import { decodeFixed, type MrzLattice, type PositionScores } from './mrz-lattice.ts'
import { type Cell, lineOf, MRZ_ALPHABET, type MrzTemplate, positionOf } from './mrz-template.ts'

/** A character whose log probability is lower than the best by this much (natural log) is not a candidate. */
const CANDIDATE_COST = 9
const MAX_CANDIDATES = 20
const MAX_CHANGES = 3

export interface MrzChange {
  readonly line: number
  readonly position: number
  readonly from: string
  readonly to: string
}

export interface MrzSolution {
  readonly template: MrzTemplate
  readonly lines: readonly string[]
  /** Log probability of the recogniser's best permitted reading, per character. */
  readonly likelihood: number
  /** Characters changed from that best reading so that check digits, dates and, if possible, state codes are valid. */
  readonly changes: readonly MrzChange[]
  /** Log probability lost through the changes. */
  readonly cost: number
  /** How much more the next different valid reading costs; Infinity when there is none nearby. */
  readonly margin: number
  /** Whether every check digit and date is valid. */
  readonly holds: boolean
  /** Probability of each character against the other permitted ones, by line and position. */
  readonly confidence: readonly (readonly number[])[]
}

interface Candidate {
  readonly cell: Cell
  readonly from: string
  readonly to: string
  readonly cost: number
}

/**
 * The most likely reading of these lines in one layout, with valid check digits if possible; null when they cannot fit
 * the layout.
 */
export function solveMrz(
  template: MrzTemplate,
  lattices: readonly MrzLattice[],
  today: Today,
): MrzSolution | null {
  if (lattices.length !== template.lines.length) return null
  const scored: PositionScores[] = []
  for (const [i, lattice] of lattices.entries()) {
    const scores = decodeFixed(lattice, template.lines[i]!)
    if (!scores || scores.best === -Infinity) return null
    scored.push(scores)
  }
  const read = scored.map((s, line) =>
    template.lines[line]!.map((allowed, position) => {
      const best = allowed.reduce((a, b) => (s.at(position, b) > s.at(position, a) ? b : a))
      return MRZ_ALPHABET[best]!
    }),
  )
  const characters = read.reduce((n, line) => n + line.length, 0)
  const candidates = listCandidates(template, scored, read)
  const listed = search(template, read, candidates, today, true)
  // An unlisted state alone is not an error, because organisations use their own codes.
  const { changes, margin } = listed.changes ? listed : search(template, read, candidates, today, false)
  const lines = read.map((line) => [...line])
  for (const { cell, to } of changes ?? []) lines[lineOf(cell)]![positionOf(cell)] = to
  return {
    template,
    lines: lines.map((line) => line.join('')),
    likelihood: scored.reduce((sum, s) => sum + s.best, 0) / characters,
    changes: (changes ?? []).map(({ cell, from, to }) => ({
      line: lineOf(cell),
      position: positionOf(cell),
      from,
      to,
    })),
    cost: (changes ?? []).reduce((sum, change) => sum + change.cost, 0),
    margin,
    holds: changes !== null,
    confidence: lines.map((line, l) =>
      line.map((character, position) =>
        confidence(scored[l]!, position, template.lines[l]![position]!, character),
      ),
    ),
  }
}

function confidence(s: PositionScores, position: number, allowed: readonly number[], chosen: string): number {
  let total = 0
  for (const c of allowed) total += Math.exp(s.at(position, c) - s.best)
  return Math.exp(s.at(position, MRZ_ALPHABET.indexOf(chosen)) - s.best) / total
}

function listCandidates(
  template: MrzTemplate,
  scored: readonly PositionScores[],
  read: readonly (readonly string[])[],
): Candidate[] {
  const out: Candidate[] = []
  for (const cell of template.correctable) {
    const line = lineOf(cell)
    const position = positionOf(cell)
    const from = read[line]![position]!
    const s = scored[line]!
    const best = s.at(position, MRZ_ALPHABET.indexOf(from))
    for (const c of template.lines[line]![position]!) {
      const cost = best - s.at(position, c)
      const to = MRZ_ALPHABET[c]!
      if (to !== from && cost < CANDIDATE_COST) out.push({ cell, from, to, cost })
    }
  }
  return out.sort((a, b) => a.cost - b.cost).slice(0, MAX_CANDIDATES)
}

/** Whether every check digit and date of these characters is valid, and every state is listed. */
function proves(
  template: MrzTemplate,
  characters: readonly (readonly string[])[],
  today: Today,
  listedStates: boolean,
): boolean {
  const { layout } = template
  const lines = characters.map((line) => line.join(''))
  if (!listedStates) return readLines(lines, layout, today).valid
  for (const name of ['issuing_state', 'nationality'] as const) {
    const field = layout.fields[name]
    if (field && !isListedStateField(lines[field.line]!.slice(field.start, field.end))) return false
  }
  return readLines(lines, layout, today).valid
}

/**
 * The cheapest set of changes (at most `MAX_CHANGES`) that makes everything valid, and the margin to the next one.
 * `changes` is null when there is none.
 */
function search(
  template: MrzTemplate,
  read: readonly (readonly string[])[],
  candidates: readonly Candidate[],
  today: Today,
  listedStates: boolean,
): { changes: readonly Candidate[] | null; margin: number } {
  const characters = read.map((line) => [...line])
  const changed = new Set<Cell>()
  const chosen: Candidate[] = []
  let best: readonly Candidate[] | null = null
  let bestCost = Infinity
  let secondCost = Infinity
  const visit = (from: number, cost: number): void => {
    if (cost >= secondCost) return
    if (proves(template, characters, today, listedStates)) {
      if (cost < bestCost) {
        secondCost = bestCost
        bestCost = cost
        best = [...chosen]
      } else secondCost = cost
    }
    if (chosen.length === MAX_CHANGES) return
    for (let i = from; i < candidates.length; i++) {
      const candidate = candidates[i]!
      if (cost + candidate.cost >= secondCost) return
      if (changed.has(candidate.cell)) continue
      const line = characters[lineOf(candidate.cell)]!
      changed.add(candidate.cell)
      line[positionOf(candidate.cell)] = candidate.to
      chosen.push(candidate)
      visit(i + 1, cost + candidate.cost)
      chosen.pop()
      line[positionOf(candidate.cell)] = candidate.from
      changed.delete(candidate.cell)
    }
  }
  visit(0, 0)
  return { changes: best, margin: best === null ? 0 : secondCost - bestCost }
}
