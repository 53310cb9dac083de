import { type Corrected, correct } from './correct.ts'
import { correctState } from './correct-state.ts'
import { correctVisaData } from './correct-visa-data.ts'
import { type Today, todayOf } from './dates.ts'
import { type Layout, layoutOf } from './layouts.ts'
import { type Hypothesis, locate } from './locate.ts'
import { readLines } from './read-lines.ts'
import { withoutFillers } from './split-names.ts'
import { templates } from './templates.ts'
import type { MrzDocument, MrzOptions, MrzResult } from './types.ts'

/** Words of letters, one or two fillers between them, fillers only behind them. */
const wellFormedName = /^(?:<<)?[A-Z]+(?:<{1,2}[A-Z]+)*<*$/
/** A third group of names behind two fillers that could as well be fillers read as letters. */
const doubtfulGroup = /[A-Z]<<.*<<[KLCXES]+(?:<|$)/

/** True when no character breaks its class, no state has a likelier reading, and no name leaves doubt about its end. */
function isWellFormed(lines: readonly string[], layout: Layout): boolean {
  for (const { line, costs } of templates.get(layout)!) {
    const text = lines[line]!
    for (let position = 0; position < costs.length; position++) {
      const code = text.charCodeAt(position)
      if (code > 90 || (costs[position]![code]! > 0 && code !== 60)) return false
    }
  }
  const { issuing_state, nationality, optional_data, name, surname, given_names } = layout.fields
  for (const field of [issuing_state, nationality]) {
    if (field === undefined) continue
    const state = lines[field.line]!.slice(field.start, field.end)
    if (correctState(state) !== state) return false
  }
  if (layout.composite === null) {
    const data = lines[optional_data!.line]!.slice(optional_data!.start, optional_data!.end)
    const state = lines[issuing_state!.line]!.slice(issuing_state!.start, issuing_state!.end)
    if (correctVisaData(data, withoutFillers(state)) !== data) return false
  }
  for (const field of [name, surname, given_names]) {
    if (field === undefined) continue
    const text = lines[field.line]!.slice(field.start, field.end)
    if (!wellFormedName.test(text) || doubtfulGroup.test(text)) return false
  }
  return true
}

function wordsOf(lines: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const line of lines) {
    if (line.includes('<')) continue
    for (const word of line.toUpperCase().split(/[^A-Z]+/)) if (word.length > 1) words.add(word)
  }
  return words
}

/** What a hypothesis is worth less whose digits fail, or whose reading has a rival. */
const costOfFailure = 12
const costOfDoubt = 4

function bestOf(hypotheses: readonly Hypothesis[], lines: readonly string[], today: Today): MrzResult | null {
  const words = wordsOf(lines)
  let best: { document: MrzDocument; corrected: Corrected; cost: number } | null = null
  for (const hypothesis of hypotheses) {
    // The cheapest come first, and correcting only adds: what follows cannot be better.
    if (best !== null && best.cost <= hypothesis.cost) break
    const corrected = correct(hypothesis, words, today)
    const document = readLines(corrected.lines, corrected.layout, today, corrected.corrections)
    if (!corrected.certain) document.valid = false
    const cost = hypothesis.cost + (document.valid ? 0 : corrected.proven ? costOfDoubt : costOfFailure)
    if (best === null || cost < best.cost) best = { document, corrected, cost }
  }
  return best === null ? null : { document: best.document, confidence: best.corrected.confidence }
}

/**
 * Parses a machine readable zone from its lines in order, or finds it among noisy OCR lines.
 *
 * At most 20 lines of at most 200 characters are looked at. Null when no MRZ of a known layout is found.
 * An MRZ whose check digits fail is returned all the same, with `valid` false.
 */
export function parseMrz(lines: readonly string[], options: MrzOptions = {}): MrzResult | null {
  const today = todayOf(options.today ?? new Date())
  const layout = layoutOf(lines)
  if (layout !== null) {
    const document = readLines([...lines], layout, today)
    const exact = document.valid && isWellFormed(lines, layout)
    if (exact || options.correct === false) return { document, confidence: exact ? 1 : 0 }
  }
  const hypotheses = locate(lines)
  if (hypotheses.length === 0) return null
  if (options.correct === false) {
    const { layout: found, fits } = hypotheses[0]!
    const document = readLines(
      fits.map((fit) => fit.text),
      found,
      today,
    )
    return { document, confidence: 0 }
  }
  return bestOf(hypotheses, lines, today)
}
