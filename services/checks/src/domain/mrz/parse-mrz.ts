import { type Corrected, correct } from './correct.ts'
import { correctState } from './correct-state.ts'
import { correctVisaData } from './correct-visa-data.ts'
import { type Today, todayOf } from './dates.ts'
import { allows, numberForms } from './issuer-formats.ts'
import { type Layout, layoutOf, type Span } from './layouts.ts'
import { type Hypothesis, locate } from './locate.ts'
import { readLines } from './read-lines.ts'
import { withoutFillers } from './split-names.ts'
import { templates } from './templates.ts'
import type { MrzDocument, MrzOptions, MrzResult } from './types.ts'

/** Words of letters separated by one or two fillers, with fillers only at the end. */
const wellFormedName = /^(?:<<)?[A-Z]+(?:<{1,2}[A-Z]+)*<*$/
/** A third group of names after two fillers, which may as well be fillers read as letters. */
const doubtfulGroup = /[A-Z]<<.*<<[KLCXES]+(?:<|$)/

/** A G that may be a 6: no check digit distinguishes G (16) from 6. Among other letters it is hardly ever a 6. */
const invisible = /[0-9]G(?![A-Z])/

/** A number in which no G may be a 6, or one in its issuer's format. */
function isPlainNumber(lines: readonly string[], { fields }: Layout, state: string): boolean {
  const { line, start, end } = fields.document_number!
  const number = lines[line]!.slice(start, end)
  if (!invisible.test(number)) return true
  return numberForms(state, lines[0]!.charAt(0), number).some((places) =>
    places.every((place, at) => allows(place, number.charCodeAt(at))),
  )
}

/**
 * True when every character fits its class, no G may be a 6, no state has a more likely reading, and no end of a name
 * is uncertain.
 */
function isWellFormed(lines: readonly string[], layout: Layout): boolean {
  for (const { line, costs } of templates.get(layout)!) {
    const characters = lines[line]!
    for (let position = 0; position < costs.length; position++) {
      const code = characters.charCodeAt(position)
      if (code > 90 || (costs[position]![code]! > 0 && code !== 60)) return false
    }
  }
  const { issuing_state, nationality, optional_data, name, surname, given_names } = layout.fields
  const text = ({ line, start, end }: Span): string => lines[line]!.slice(start, end)
  const state = withoutFillers(lines[0]!.slice(2, 5))
  if (!isPlainNumber(lines, layout, state)) return false
  if (layout.composite !== null && invisible.test(text(optional_data!))) return false
  for (const field of [issuing_state, nationality]) {
    if (field === undefined) continue
    if (correctState(text(field)) !== text(field)) return false
  }
  if (layout.composite === null) {
    const data = text(optional_data!)
    if (correctVisaData(data, state) !== data) return false
  }
  for (const field of [name, surname, given_names]) {
    if (field === undefined) continue
    if (!wellFormedName.test(text(field)) || doubtfulGroup.test(text(field))) return false
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

/** Penalty of a hypothesis whose check digits fail, or whose reading has a rival. */
const costOfFailure = 12
const costOfDoubt = 4
/** A rival that is at least a quarter as likely (ln 4) makes the reading uncertain. */
const costOfRival = 1.4

/** A fully evaluated hypothesis. */
interface Attempt {
  document: MrzDocument
  corrected: Corrected
  cost: number
}

function attempt(hypothesis: Hypothesis, words: ReadonlySet<string>, today: Today): Attempt {
  const corrected = correct(hypothesis, words, today)
  const document = readLines(corrected.lines, corrected.layout, today, corrected.corrections)
  if (!corrected.certain) document.valid = false
  const cost = hypothesis.cost + (document.valid ? 0 : corrected.proven ? costOfDoubt : costOfFailure)
  return { document, corrected, cost }
}

function bestOf(hypotheses: readonly Hypothesis[], lines: readonly string[], today: Today): MrzResult | null {
  const words = wordsOf(lines)
  const attempts: Attempt[] = []
  let least = Number.POSITIVE_INFINITY
  for (const hypothesis of hypotheses) {
    // Hypotheses are sorted by cost and correction only adds to it, so none of the remaining ones can be a rival.
    if (hypothesis.cost > least + costOfRival) break
    const tried = attempt(hypothesis, words, today)
    least = Math.min(least, tried.cost)
    attempts.push(tried)
  }
  const [best, ...others] = attempts.sort((a, b) => a.cost - b.cost)
  if (best === undefined) return null
  const { document, corrected } = best
  const read = document.lines.join()
  const rival = others.some(
    ({ cost, document: { lines: other } }) => cost <= least + costOfRival && other.join() !== read,
  )
  if (rival) document.valid = false
  return { document, confidence: corrected.confidence }
}

/**
 * Parses an MRZ from its lines in order, or locates it among noisy OCR lines.
 *
 * Reads at most 20 lines of at most 200 characters. Null when no MRZ of a known layout is found. An MRZ whose check
 * digits fail is still returned, with `valid` false.
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
