import { type CharacterClass, candidates, fillerLookalikes } from './confusions.ts'
import { correctNameField, type FillerNoise } from './correct-name-field.ts'
import { correctState } from './correct-state.ts'
import { correctVisaData } from './correct-visa-data.ts'
import type { Today } from './dates.ts'
import type { FieldName, Layout, Span } from './layouts.ts'
import type { Hypothesis } from './locate.ts'
import { search } from './search.ts'
import { withoutFillers } from './split-names.ts'
import { templates } from './templates.ts'
import type { MrzCorrection } from './types.ts'
import { suspiciousLetters } from './weigh-positions.ts'

/** A hypothesis whose characters are corrected as far as the check digits and the layout allow. */
export interface Corrected {
  layout: Layout
  lines: string[]
  corrections: MrzCorrection[]
  confidence: number
  /** False when another reading is almost as likely, so that a correction was not made or is not certain. */
  certain: boolean
  /** True when some reading satisfies every check digit. */
  proven: boolean
}

/** A reading is accepted when it is four times as likely as all its rivals together, and certain when nine times. */
const leastConfidence = 0.8
const certainConfidence = 0.9
const filler = 60

function put(lines: string[], { line, start, end }: Span, text: string): void {
  lines[line] = lines[line]!.slice(0, start) + text + lines[line]!.slice(end)
}

/**
 * Corrects fillers at the end of optional data that were read as letters: those after a filler that was read correctly
 * and, where there are any, those that follow a digit.
 */
function correctFillerRun(text: string): string {
  let tail = text.length
  while (tail > 0) {
    const code = text.charCodeAt(tail - 1)
    if (code !== filler && !fillerLookalikes.has(code)) break
    tail--
  }
  const first = text.indexOf('<', tail)
  if (first < 0) return text
  const misread = /[A-Z]/.test(text.slice(first))
  const afterDigit = tail > 0 && text.charCodeAt(tail - 1) < filler
  return text.slice(0, misread && afterDigit ? tail : first).padEnd(text.length, '<')
}

/** A field of fillers whose first was read as a letter: optional data of a single letter are hardly ever issued. */
const loneLookalike = /^[KLCXES]<[<KLCXES]{3,}$/

/** Corrects the fillers of the optional data, and counts what had been read for them. */
function correctOptionalData(lines: string[], layout: Layout): FillerNoise {
  const letters = new Map<string, number>()
  const issuer = layout.fields.issuing_state!
  const state = withoutFillers(lines[issuer.line]!.slice(issuer.start, issuer.end))
  let places = 0
  for (const field of [layout.fields.optional_data, layout.fields.optional_data_2]) {
    if (field === undefined) continue
    const read = lines[field.line]!.slice(field.start, field.end)
    const uncovered = layout.composite === null
    const run = uncovered && loneLookalike.test(read) ? '<'.repeat(read.length) : correctFillerRun(read)
    const corrected = uncovered ? correctVisaData(run, state) : run
    put(lines, field, corrected)
    for (const [at, letter] of [...read].entries()) {
      if (corrected[at] !== '<') continue
      places++
      if (letter !== '<') letters.set(letter, (letters.get(letter) ?? 0) + 1)
    }
  }
  return { letters, places }
}

function onlyCandidate(text: string, characterClass: CharacterClass): string {
  const option = candidates[characterClass][text.charCodeAt(0)]![0]
  return option === undefined ? text.charAt(0) : String.fromCharCode(option.code)
}

/** Corrects what the layout alone determines: code, states, sex, names, runs of fillers. */
function correctByLayout(lines: string[], layout: Layout, words: ReadonlySet<string>): boolean {
  const text = ({ line, start, end }: Span): string => lines[line]!.slice(start, end)
  const { fields } = layout
  const code = fields.document_code!
  const french = layout.format === 'fra_id'
  if (french) put(lines, { line: 0, start: 0, end: 5 }, 'IDFRA')
  else {
    const visa = layout.format === 'mrv_a' || layout.format === 'mrv_b'
    const kind = onlyCandidate(text(code), visa ? 'visa' : 'kind')
    const read = text(code).slice(1)
    // Identity cards use ID nearly everywhere except in Croatia, so a 0 in that place was a D.
    const second =
      kind === 'I' && read === '0' && text(fields.issuing_state!) !== 'HRV'
        ? 'D'
        : onlyCandidate(read, 'letter')
    put(lines, code, kind + second)
  }
  for (const field of [fields.issuing_state, fields.nationality]) {
    if (field !== undefined) put(lines, field, correctState(text(field)))
  }
  if (!french) put(lines, fields.sex!, onlyCandidate(text(fields.sex!), 'sex'))
  const seen = correctOptionalData(lines, layout)
  let certain = true
  for (const field of [fields.name, fields.surname, fields.given_names]) {
    if (field === undefined) continue
    const { text: name, decided } = correctNameField(text(field), words, seen)
    put(lines, field, name)
    if (!decided) certain = false
  }
  return certain
}

function fieldAt(layout: Layout, line: number, position: number): string {
  for (const [name, field] of Object.entries(layout.fields)) {
    if (field.line === line && position >= field.start && position < field.end) {
      return name === 'name' ? 'name' : name
    }
  }
  for (const [name, check] of Object.entries(layout.checks)) {
    if (layout.fields[name as FieldName]?.line === line && check === position) return `${name}_check_digit`
  }
  return 'composite_check_digit'
}

/** Every difference between the characters read and the result, in order. */
function differences(hypothesis: Hypothesis, lines: readonly string[]): MrzCorrection[] {
  const corrections: MrzCorrection[] = []
  for (const [line, fit] of hypothesis.fits.entries()) {
    const field = (position: number): string => fieldAt(hypothesis.layout, line, position)
    const text = lines[line]!
    for (const { position, character } of fit.dropped) {
      corrections.push({
        line,
        position,
        field: field(Math.min(position, text.length - 1)),
        from: character,
        to: '',
      })
    }
    for (let position = 0; position < text.length; position++) {
      const inserted = fit.inserted.includes(position)
      if (!inserted && fit.text[position] === text[position]) continue
      const from = inserted ? '' : fit.text[position]!
      corrections.push({ line, position, field: field(position), from, to: text[position]! })
    }
  }
  return corrections
}

/** The document number as read, including its overflow where the layout allows one. */
function numberText(lines: readonly string[], { fields, checks, longNumbers }: Layout): string {
  const { line, start, end } = fields.document_number!
  const number = lines[line]!.slice(start, end)
  if (!longNumbers || lines[line]!.charCodeAt(checks.document_number!) !== filler) return number
  const { start: overflow, end: last } = fields.optional_data!
  return number + lines[line]!.slice(overflow, last).split('<', 1)[0]
}

/** The number of signs that the reader errs: changes that the layout requires, and lost or doubled characters. */
function misreadings(hypothesis: Hypothesis, lines: readonly string[]): number {
  let count = 0
  for (const [line, fit] of hypothesis.fits.entries()) {
    count += fit.inserted.length + fit.dropped.length
    const forced = forceClasses(lines[line]!, hypothesis.layout, line)
    for (let position = 0; position < fit.text.length; position++) {
      if (fit.text[position] !== forced[position]) count++
    }
  }
  return count + suspiciousLetters(numberText(lines, hypothesis.layout))
}

/**
 * Corrects a located MRZ: first what the layout alone determines, then by the cheapest reading that satisfies all check
 * digits at once. When a rival is nearly as likely, that reading is rejected: only characters required by their class
 * are corrected, and all others stay as read.
 */
export function correct(hypothesis: Hypothesis, words: ReadonlySet<string>, today: Today): Corrected {
  const { layout } = hypothesis
  const lines = hypothesis.fits.map((fit) => fit.text)
  const decided = correctByLayout(lines, layout, words)
  const forced = lines.map((line, index) => forceClasses(line, layout, index))
  const found = search(lines, forced, layout, {
    misreadings: misreadings(hypothesis, lines),
    leastConfidence,
    today,
  })
  return {
    layout,
    lines: found.lines,
    corrections: differences(hypothesis, found.lines),
    confidence: found.confidence,
    certain: decided && found.confidence >= certainConfidence,
    proven: found.found,
  }
}

/** Replaces confusable letters by digits where the layout allows only digits. */
function forceClasses(line: string, layout: Layout, index: number): string {
  const { classes } = templates.get(layout)![index]!
  let forced = ''
  for (let position = 0; position < line.length; position++) {
    const [option] =
      classes[position] === 'digit' && line[position] !== '<'
        ? candidates.digit[line.charCodeAt(position)]!
        : []
    forced += option === undefined ? line[position] : String.fromCharCode(option.code)
  }
  return forced
}
