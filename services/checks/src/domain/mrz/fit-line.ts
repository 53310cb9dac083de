import { fillerLookalikes } from './confusions.ts'
import { isListedStateField } from './states.ts'
import type { LineTemplate } from './templates.ts'

/** A read line brought to the template's length by adding or dropping characters. */
export interface LineFit {
  text: string
  cost: number
  /** Positions in `text` of fillers that were not read. */
  inserted: readonly number[]
  /** Characters read but left out, each with the position in `text` before which it stood. */
  dropped: readonly { position: number; character: string }[]
}

/** A reader loses or doubles a filler the easier, the longer the run; anything else it hardly does. */
const costInRun = [6, 2.5, 2, 1.4, 1]
const costElsewhere = 6
const costOfUnlistedState = 2.5
const costWithoutSeparator = 2
const costOfWideGap = 3
/** The most characters that may be missing or too many. */
export const lengthTolerance = 4
/** A line that costs more than this is another text. */
const worstCost = 34

const filler = 60

function classCost(template: LineTemplate, text: string, limit: number): number {
  const { costs } = template
  let cost = 0
  for (let position = 0; position < costs.length && cost < limit; position++) {
    cost += costs[position]![text.charCodeAt(position)]!
  }
  return cost
}

/** What the class costs cannot see: a state nobody uses, a name without the two fillers. */
function structureCost(template: LineTemplate, text: string): number {
  let cost = 0
  const { statePosition, nameStart, layout } = template
  if (statePosition >= 0 && !isListedStateField(text.slice(statePosition, statePosition + 3))) {
    cost += costOfUnlistedState
  }
  if (nameStart >= 0) {
    if (text.indexOf('<<', nameStart) < 0) cost += costWithoutSeparator
    if (text.charCodeAt(nameStart) === filler) cost += costElsewhere
    if (/<<<[A-Z]{4}/.test(text)) cost += costOfWideGap
  }
  if (layout.format === 'fra_id' && template.line === 0 && text.slice(2, 5) !== 'FRA') cost += costElsewhere
  return cost
}

interface Edit {
  text: string
  cost: number
  inserted: number[]
  dropped: { position: number; character: string }[]
}

function runLength(text: string, at: number): number {
  let start = at
  while (start > 0 && text.charCodeAt(start - 1) === filler) start--
  let end = at
  while (text.charCodeAt(end) === filler) end++
  return end - start
}

const runCost = (length: number): number => costInRun[Math.min(length, costInRun.length - 1)]!

/** Every distinct string with `count` fillers put in at one place. */
function insertions(text: string, count: number): Edit[] {
  const edits: Edit[] = []
  for (let at = 0; at <= text.length; at++) {
    // Putting a filler in anywhere within a run gives the same string: only the start of the run is tried.
    if (at > 0 && text.charCodeAt(at - 1) === filler) continue
    edits.push({
      text: text.slice(0, at) + '<'.repeat(count) + text.slice(at),
      cost: count * runCost(runLength(text, at)),
      inserted: Array.from({ length: count }, (_, index) => at + index),
      dropped: [],
    })
  }
  return edits
}

/** What it costs to leave out the character at `at`: fillers out of runs are cheap, so is what was read for one. */
function removalCost(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === filler) return runCost(runLength(text, at) - 1)
  const besideFiller = text.charCodeAt(at - 1) === filler || text.charCodeAt(at + 1) === filler
  return besideFiller && fillerLookalikes.has(code) ? 2.5 : costElsewhere
}

/** Every distinct string with `count` neighbours left out at one place. */
function removals(text: string, count: number): Edit[] {
  const edits: Edit[] = []
  let previous = ''
  for (let at = 0; at + count <= text.length; at++) {
    const left = text.slice(0, at) + text.slice(at + count)
    if (left === previous) continue
    previous = left
    let cost = 0
    for (let index = at; index < at + count; index++) cost += removalCost(text, index)
    edits.push({
      text: left,
      cost,
      inserted: [],
      dropped: [...text.slice(at, at + count)].map((character) => ({ position: at, character })),
    })
  }
  return edits
}

function edits(text: string, length: number): Edit[] {
  const missing = length - text.length
  if (missing === 0) return [{ text, cost: 0, inserted: [], dropped: [] }]
  if (missing > 0) return insertions(text, missing)
  return removals(text, -missing)
}

/**
 * The best ways to read `text` as a line of the template, cheapest first, at most `limit`; none when the text differs
 * in length by more than four or is another text. Costs are negative logarithms, as in the confusion table.
 */
export function fitLine(template: LineTemplate, text: string, limit = 4): LineFit[] {
  const length = template.costs.length
  if (Math.abs(length - text.length) > lengthTolerance) return []
  const fits: LineFit[] = []
  let worst = worstCost
  for (const edit of edits(text, length)) {
    if (edit.cost > worst) continue
    let cost = edit.cost + classCost(template, edit.text, worst - edit.cost)
    if (cost > worst) continue
    cost += structureCost(template, edit.text)
    if (cost > worst) continue
    fits.push({ ...edit, cost })
    if (fits.length >= limit * 2) {
      fits.sort((a, b) => a.cost - b.cost)
      fits.length = limit
      worst = fits[limit - 1]!.cost
    }
  }
  return fits.sort((a, b) => a.cost - b.cost).slice(0, limit)
}
