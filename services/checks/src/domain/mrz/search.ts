import type { Today } from './dates.ts'
import { issuerRules } from './issuer-rules.ts'
import type { Layout } from './layouts.ts'
import { joinRuns } from './reading-table.ts'
import { type Run, RunReader } from './search-runs.ts'
import { PositionWeigher } from './weigh-positions.ts'

export interface SearchResult {
  /** Every line, with the cheapest reading that satisfies its check digits where that is sure enough. */
  lines: string[]
  /** Probability of that reading against all others that satisfy the digits, and against a faulty document. */
  confidence: number
  /** False when no reading satisfies every digit. */
  found: boolean
}

export interface SearchOptions {
  /** How many signs of a reader that errs were seen elsewhere. */
  misreadings: number
  /** A reading is taken when it is at least this likely. */
  leastConfidence: number
  today: Today
}

/** Cost of the explanation that the document itself is faulty, with and without a composite digit to confirm others. */
const costOfFaultyDocument = 10
const costOfFaultyVisa = 7
/** Every misreading seen makes another one likelier than a faulty document. */
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
  /** False where no digit proves anything: such characters stay as they were read. */
  checked: boolean
}

const byCost = (a: Solution, b: Solution): number => a.cost - b.cost

/** Joint readings of all runs that satisfy the composite digit too. */
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

/** The readings of each field on its own, for a layout without a composite digit. */
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
 * Probability of a solution against the others, and against a faulty document. The latter is read as its classes
 * demand: only the misreadings beyond that tell the two apart, not how rare the characters are.
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
    // The same characters may come about in two ways, with and without a long number.
    const key = runs.length + texts.join()
    if (seen.has(key)) continue
    seen.add(key)
    total += Math.exp(best.cost - cost)
  }
  return 1 / total
}

/** Cost of the misreadings that a solution supposes beyond those that character classes demand. */
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

/** How many fields with a check digit of their own a solution changes: each confirms that the reader errs. */
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
    // What satisfies every digit as it was read stays, unless something else shows that the reader errs.
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
 * The cheapest reading of an MRZ that satisfies every check digit at once, and how much likelier it is than the rest.
 *
 * Each field gives, for every residue it may add to the composite digit, its cheapest readings whose own digit holds;
 * the residues are then joined. That is exact: no reading that is cheaper and satisfies all digits is missed. A layout
 * without a composite digit is decided field by field. What is not decided stays as in `fallback`.
 */
export function search(
  lines: readonly string[],
  fallback: readonly string[],
  layout: Layout,
  options: SearchOptions,
): SearchResult {
  const first = searchOnce(lines, fallback, layout, options)
  // Two fields that need a correction, each proven by its own digit, show together that the reader errs.
  if (!first.found || first.confidence >= options.leastConfidence || first.changed < 2) return first
  return searchOnce(lines, fallback, layout, {
    ...options,
    misreadings: options.misreadings + first.changed - 1,
  })
}
