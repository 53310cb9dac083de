import { fillerLookalikes } from './confusions.ts'
import { isListedStateField } from './states.ts'
import type { LineTemplate } from './templates.ts'

/** A line adjusted to the template's length by inserting or dropping characters. */
export interface LineFit {
  text: string
  cost: number
  /** Positions in `text` of fillers that were not read. */
  inserted: readonly number[]
  /** Dropped characters, each with the position in `text` before which it stood. */
  dropped: readonly { position: number; character: string }[]
}

/** Readers lose or double fillers more easily in longer runs, and hardly ever lose or double other characters. */
const costInRun = [6, 2.5, 2, 1.4, 1]
const costElsewhere = 6
const costOfUnlistedState = 2.5
const costWithoutSeparator = 4
const costOfWideGap = 3
/** The maximum number of missing or surplus characters. */
export const lengthTolerance = 4
/** A line with a higher cost is unrelated text. */
const worstCost = 24
/** How many length adjustments are evaluated in full. */
const mostEdits = 6

const filler = 60
const wideGap = /<<<[A-Z]{4}/
const separator = /[^<]<<[^<]/

/** Structural cost that character classes do not cover: an unlisted state, a name without the two fillers. */
function structureCost(template: LineTemplate, text: string): number {
  let cost = 0
  const { statePosition, nameStart, layout } = template
  if (statePosition >= 0 && !isListedStateField(text.slice(statePosition, statePosition + 3))) {
    cost += costOfUnlistedState
  }
  if (nameStart >= 0) {
    if (layout.fields.name !== undefined && !separator.test(text.slice(nameStart)))
      cost += costWithoutSeparator
    if (text.charCodeAt(nameStart) === filler) cost += costElsewhere
    if (wideGap.test(text)) cost += costOfWideGap
  }
  if (layout.format === 'fra_id' && template.line === 0 && text.slice(2, 5) !== 'FRA') cost += costElsewhere
  return cost
}

/** A place where the length is adjusted, and the cost of that and of the classes. */
interface Edit {
  at: number
  cost: number
}

const runCost = (length: number): number => costInRun[Math.min(length, costInRun.length - 1)]!

/** For each position, the length of the run of fillers that contains it. */
function runLengths(text: string): Uint8Array {
  const lengths = new Uint8Array(text.length + 1)
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (text.charCodeAt(at) === filler) continue
    lengths.fill(at - start, start, at)
    start = at + 1
  }
  return lengths
}

/**
 * Class costs of the text up to each position with the template unshifted, and from each position on with the template
 * shifted by the missing (or surplus) characters. Each place for a length adjustment then costs one addition.
 */
function partialCosts(
  template: LineTemplate,
  text: string,
  shift: number,
): { before: Float64Array; after: Float64Array } {
  const { costs } = template
  const length = text.length
  const before = new Float64Array(length + 1)
  const after = new Float64Array(length + 1)
  for (let at = 0; at < length; at++) {
    before[at + 1] = before[at]! + (at < costs.length ? costs[at]![text.charCodeAt(at)]! : 0)
  }
  for (let at = length - 1; at >= 0; at--) {
    const position = at + shift
    after[at] = after[at + 1]! + (position >= 0 ? costs[position]![text.charCodeAt(at)]! : 0)
  }
  return { before, after }
}

/** Every distinct way to insert fillers at one place. */
function insertions(template: LineTemplate, text: string, count: number): Edit[] {
  const { before, after } = partialCosts(template, text, count)
  const runs = runLengths(text)
  const edits: Edit[] = []
  for (let at = 0; at <= text.length; at++) {
    // Inserting a filler anywhere within a run gives the same string, so only the start of the run is tried.
    if (at > 0 && text.charCodeAt(at - 1) === filler) continue
    const run = text.charCodeAt(at) === filler ? runs[at]! : 0
    let cost = before[at]! + after[at]! + count * runCost(run)
    for (let index = 0; index < count; index++) cost += template.costs[at + index]![filler]!
    if (cost <= worstCost) edits.push({ at, cost })
  }
  return edits
}

/** Cost of dropping the character at `at`: low for fillers in runs, and for characters that may be misread fillers. */
function removalCost(text: string, runs: Uint8Array, at: number): number {
  const code = text.charCodeAt(at)
  if (code === filler) return runCost(runs[at]! - 1)
  const besideFiller = text.charCodeAt(at - 1) === filler || text.charCodeAt(at + 1) === filler
  return besideFiller && fillerLookalikes.has(code) ? 2.5 : costElsewhere
}

/** Every distinct way to drop adjacent characters at one place. */
function removals(template: LineTemplate, text: string, count: number): Edit[] {
  const { before, after } = partialCosts(template, text, -count)
  const runs = runLengths(text)
  const edits: Edit[] = []
  for (let at = 0; at + count <= text.length; at++) {
    // Dropping the same characters one place earlier gave the same string.
    if (at > 0 && text.charCodeAt(at - 1) === text.charCodeAt(at + count - 1)) continue
    let cost = before[at]! + after[at + count]!
    if (cost > worstCost) continue
    for (let index = at; index < at + count; index++) cost += removalCost(text, runs, index)
    if (cost <= worstCost) edits.push({ at, cost })
  }
  return edits
}

function applyEdit(template: LineTemplate, text: string, { at, cost }: Edit, missing: number): LineFit {
  const mended =
    missing >= 0
      ? text.slice(0, at) + '<'.repeat(missing) + text.slice(at)
      : text.slice(0, at) + text.slice(at - missing)
  return {
    text: mended,
    cost: cost + structureCost(template, mended),
    inserted: missing > 0 ? Array.from({ length: missing }, (_, index) => at + index) : [],
    dropped:
      missing < 0 ? [...text.slice(at, at - missing)].map((character) => ({ position: at, character })) : [],
  }
}

/**
 * The best ways to read `text` as a line of the template, cheapest first, at most `limit`; none when the length differs
 * by more than four or the text is unrelated. Costs are negative logarithms, as in the confusion table.
 */
export function fitLine(template: LineTemplate, text: string, limit = 3): LineFit[] {
  const missing = template.costs.length - text.length
  if (Math.abs(missing) > lengthTolerance) return []
  if (missing === 0) {
    let cost = 0
    for (let at = 0; at < text.length && cost <= worstCost; at++)
      cost += template.costs[at]![text.charCodeAt(at)]!
    if (cost > worstCost) return []
    const fit = applyEdit(template, text, { at: 0, cost }, 0)
    return fit.cost <= worstCost ? [fit] : []
  }
  const edits = missing > 0 ? insertions(template, text, missing) : removals(template, text, -missing)
  return edits
    .sort((a, b) => a.cost - b.cost)
    .slice(0, mostEdits)
    .map((edit) => applyEdit(template, text, edit, missing))
    .filter((fit) => fit.cost <= worstCost)
    .sort((a, b) => a.cost - b.cost)
    .slice(0, limit)
}
