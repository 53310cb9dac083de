import type { Today } from './dates.ts'
import { issuerRules } from './issuer-rules.ts'
import type { Layout } from './layouts.ts'
import { joinRuns } from './reading-table.ts'
import { type Run, RunReader } from './search-runs.ts'
import { PositionWeigher } from './weigh-positions.ts'

export interface SearchResult {
  /** Every line, with the cheapest reading that satisfies its check digits where that reading is certain enough. */
  lines: string[]
  /** Probability of that reading against all others that satisfy the digits, and against a faulty document. */
  confidence: number
  /** False when no reading satisfies every digit. */
  found: boolean
}

export interface SearchOptions {
  /** How many signs of reader errors were seen elsewhere. */
  misreadings: number
  /** Minimum probability of an accepted reading. */
  leastConfidence: number
  today: Today
}

/** Cost of assuming that the document itself is faulty, with and without a composite digit to confirm others. */
const costOfFaultyDocument = 10
const costOfFaultyVisa = 7
/** Every observed misreading makes another one more likely than a faulty document. */
const costPerMisreading = 3

interface Solution {
  runs: readonly Run[]
  texts: readonly string[]
  cost: number
}

/** Runs that are decided together. */
interface Group {
  /** The cheapest first. */
  solutions: Solution[]
  /** False when no check digit covers the run; its characters stay as read. */
  checked: boolean
}

const byCost = (a: Solution, b: Solution): number => a.cost - b.cost

/** Joint readings of all runs that also satisfy the composite digit. */
function joint(alternatives: readonly Run[][], weigher: PositionWeigher, layout: Layout): Group {
  const { line, position } = layout.composite!
  const digit: Run = { line, positions: [position], readings: [], checked: true }
  const { candidates } = weigher.position(line, position, 0)
  const solutions: Solution[] = []
  for (const runs of alternatives) {
    for (const reading of joinRuns(runs.map((run) => run.readings))) {
      for (const { code, cost } of candidates) {
        if (code - 48 !== reading.composite) continue
        const texts = [...reading.texts, String.fromCharCode(code)]
        solutions.push({ runs: [...runs, digit], texts, cost: reading.cost + cost })
      }
    }
  }
  return { solutions: solutions.sort(byCost), checked: true }
}

/** The readings of each field separately, for a layout without a composite digit. */
function separate(runs: readonly Run[]): Group[] {
  return runs.map((run) => ({
    solutions: run.readings.map(({ text, cost }) => ({ runs: [run], texts: [text], cost })).sort(byCost),
    checked: run.checked,
  }))
}

function put(lines: string[], { runs, texts }: Solution): void {
  const characters = lines.map((line) => [...line])
  for (const [index, text] of texts.entries()) {
    const { line, positions } = runs[index]!
    for (const [at, position] of positions.entries()) characters[line]![position] = text[at]!
  }
  for (const [line, text] of characters.entries()) lines[line] = text.join('')
}

function isAsRead(lines: readonly string[], { runs, texts }: Solution): boolean {
  return texts.every((text, index) => {
    const { line, positions } = runs[index]!
    return positions.every((position, at) => lines[line]![position] === text[at])
  })
}

/**
 * Probability of a solution against the others and against a faulty document. A faulty document is read as its classes
 * require, so only misreadings beyond those count, and not how rare the characters are.
 */
function confidenceOf(
  best: Solution,
  solutions: readonly Solution[],
  excess: number,
  costOfFault: number,
): number {
  let total = excess === 0 ? 0 : Math.exp(excess - costOfFault)
  const seen = new Set<string>()
  for (const { runs, texts, cost } of solutions) {
    // The same characters can result in two ways, with and without a long number.
    const key = runs.length + texts.join()
    if (seen.has(key)) continue
    seen.add(key)
    total += Math.exp(best.cost - cost)
  }
  return 1 / total
}

/** Cost of the misreadings in a solution beyond those that character classes require. */
function excessOf({ runs, texts }: Solution, weigher: PositionWeigher): number {
  let excess = 0
  for (const [index, text] of texts.entries()) {
    const { line, positions } = runs[index]!
    for (const [at, position] of positions.entries()) {
      excess += weigher.excess(line, position, text.charCodeAt(at))
    }
  }
  return excess
}

/** How many fields with their own check digit a solution changes; each one confirms that the reader errs. */
function changedFields(lines: readonly string[], { runs, texts }: Solution): number {
  let changed = 0
  for (const [index, run] of runs.entries()) {
    if (run.checked && !isAsRead(lines, { runs: [run], texts: [texts[index]!], cost: 0 })) changed++
  }
  return changed
}

function searchOnce(
  lines: readonly string[],
  fallback: readonly string[],
  layout: Layout,
  { misreadings, leastConfidence, today }: SearchOptions,
): SearchResult & { changed: number } {
  const issuer = issuerRules(lines, layout)
  const weigher = new PositionWeigher(lines, layout, misreadings, issuer)
  const alternatives = new RunReader(weigher, lines, layout, today, issuer).alternatives()
  const groups =
    layout.composite === null ? separate(alternatives[0]!) : [joint(alternatives, weigher, layout)]
  const fault = layout.composite === null ? costOfFaultyVisa : costOfFaultyDocument
  const solved = [...fallback]
  let confidence = 1
  let found = true
  let changed = 0
  for (const { solutions, checked } of groups) {
    // Keep a reading that satisfies every check digit as read, unless there are other signs of reader errors.
    const asRead = misreadings === 0 ? solutions.find((solution) => isAsRead(lines, solution)) : undefined
    const best = asRead ?? solutions[0]
    if (best === undefined) {
      found = false
      confidence = 0
      continue
    }
    const costOfFault = fault + costPerMisreading * misreadings
    const certainty = confidenceOf(best, solutions, excessOf(best, weigher), costOfFault)
    confidence *= certainty
    changed += changedFields(lines, best)
    if (certainty >= leastConfidence && checked) put(solved, best)
  }
  return { lines: solved, confidence, found, changed }
}

/**
 * The cheapest reading of an MRZ that satisfies every check digit at once, and how much more likely it is than the
 * rest.
 *
 * Each field gives, for every residue it may add to the composite digit, its cheapest readings with a valid check
 * digit; the residues are then joined. This is exact: no cheaper reading that satisfies all check digits is missed. A
 * layout without a composite digit is decided field by field. Undecided fields stay as in `fallback`.
 */
export function search(
  lines: readonly string[],
  fallback: readonly string[],
  layout: Layout,
  options: SearchOptions,
): SearchResult {
  const first = searchOnce(lines, fallback, layout, options)
  // Two corrected fields, each confirmed by its own check digit, together show that the reader errs.
  if (!first.found || first.confidence >= options.leastConfidence || first.changed < 2) return first
  return searchOnce(lines, fallback, layout, {
    ...options,
    misreadings: options.misreadings + first.changed - 1,
  })
}
