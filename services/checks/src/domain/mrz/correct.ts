import { candidates, fillerLookalikes } from './confusions.ts'
import { correctNameField } from './correct-name-field.ts'
import type { FieldName, Layout, Span } from './layouts.ts'
import type { Hypothesis } from './locate.ts'
import { search } from './search.ts'
import { isListedStateField } from './states.ts'
import type { MrzCorrection } from './types.ts'

/** A hypothesis with its characters put right as far as the digits and the layout prove them. */
export interface Corrected {
  layout: Layout
  lines: string[]
  corrections: MrzCorrection[]
  confidence: number
  /** False when a correction was ambiguous and therefore not made. */
  certain: boolean
}

/** A reading is taken when it is at least nine times as likely as all its rivals together. */
const leastConfidence = 0.9
const filler = 60

function put(lines: string[], { line, start, end }: Span, text: string): void {
  lines[line] = lines[line]!.slice(0, start) + text + lines[line]!.slice(end)
}

/** The one listed state that the characters can be misread from; as read when there is none, or more than one. */
function correctState(read: string): string {
  if (isListedStateField(read)) return read
  let readings = [{ text: '', cost: 0 }]
  for (let position = 0; position < 3; position++) {
    readings = readings.flatMap(({ text, cost }) =>
      candidates.letter[read.charCodeAt(position)]!.map((candidate) => ({
        text: text + String.fromCharCode(candidate.code),
        cost: cost + candidate.cost,
      })),
    )
  }
  const listed = readings.filter(({ text }) => isListedStateField(text)).sort((a, b) => a.cost - b.cost)
  if (listed.length > 0 && (listed.length === 1 || listed[1]!.cost - listed[0]!.cost > 2)) return listed[0]!.text
  // Without a listed reading the class alone speaks: a state code has no digits.
  return readings.length === 0 ? read : readings.sort((a, b) => a.cost - b.cost)[0]!.text
}

/** Fillers at the end of optional data that were read as letters: those behind a filler that was read well. */
function correctFillerRun(text: string): string {
  let tail = text.length
  while (tail > 0) {
    const code = text.charCodeAt(tail - 1)
    if (code !== filler && !fillerLookalikes.has(code)) break
    tail--
  }
  const first = text.indexOf('<', tail)
  return first < 0 ? text : text.slice(0, first).padEnd(text.length, '<')
}

function onlyCandidate(text: string, characterClass: 'kind' | 'sex' | 'letter'): string {
  const option = candidates[characterClass][text.charCodeAt(0)]![0]
  return option === undefined ? text : String.fromCharCode(option.code)
}

/** What the layout alone proves: code, states, sex, names, runs of fillers. */
function correctByLayout(lines: string[], layout: Layout, words: ReadonlySet<string>): boolean {
  const text = ({ line, start, end }: Span): string => lines[line]!.slice(start, end)
  const { fields } = layout
  const code = fields.document_code!
  const french = layout.format === 'fra_id'
  if (french) put(lines, { line: 0, start: 0, end: 5 }, 'IDFRA')
  else {
    const visa = layout.format === 'mrv_a' || layout.format === 'mrv_b'
    const second = text(code).slice(1)
    put(lines, code, (visa ? 'V' : onlyCandidate(text(code), 'kind')) + onlyCandidate(second, 'letter'))
  }
  for (const field of [fields.issuing_state, fields.nationality]) {
    if (field !== undefined) put(lines, field, correctState(text(field)))
  }
  if (!french) put(lines, fields.sex!, onlyCandidate(text(fields.sex!), 'sex'))
  let certain = true
  for (const field of [fields.name, fields.surname, fields.given_names]) {
    if (field === undefined) continue
    const { text: name, undecided } = correctNameField(text(field), words)
    put(lines, field, name)
    if (undecided.length > 0) certain = false
  }
  for (const field of [fields.optional_data, fields.optional_data_2]) {
    if (field !== undefined) put(lines, field, correctFillerRun(text(field)))
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

/** Every difference between what was read and what stands now, in order. */
function differences(hypothesis: Hypothesis, lines: readonly string[]): MrzCorrection[] {
  const corrections: MrzCorrection[] = []
  for (const [line, fit] of hypothesis.fits.entries()) {
    const field = (position: number): string => fieldAt(hypothesis.layout, line, position)
    const text = lines[line]!
    for (const { position, character } of fit.dropped) {
      corrections.push({ line, position, field: field(Math.min(position, text.length - 1)), from: character, to: '' })
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

/** How many signs there are that the reader errs: changes that the layout alone demanded, lost or doubled characters. */
function misreadings(hypothesis: Hypothesis, lines: readonly string[]): number {
  let count = 0
  for (const [line, fit] of hypothesis.fits.entries()) {
    count += fit.inserted.length + fit.dropped.length
    for (let position = 0; position < fit.text.length; position++) {
      if (fit.text[position] !== lines[line]![position]) count++
    }
  }
  return count + Math.round(hypothesis.cost / 4)
}

/** Cost added to every misreading by how much noise was seen: a reader that erred nowhere else hardly erred here. */
function reluctanceOf(signs: number): number {
  return signs === 0 ? 2.5 : signs === 1 ? 1 : 0
}

/**
 * Corrects a located MRZ: first what the layout alone proves, then the cheapest reading that satisfies all check
 * digits at once. Where a rival reading is nearly as likely, the characters in question stay as they were read.
 */
export function correct(hypothesis: Hypothesis, words: ReadonlySet<string>): Corrected {
  const { layout } = hypothesis
  const lines = hypothesis.fits.map((fit) => fit.text)
  const decided = correctByLayout(lines, layout, words)
  const found = search(lines, layout, reluctanceOf(misreadings(hypothesis, lines)))
  const certain = decided && found.found && found.confidence >= leastConfidence
  const solved = [...found.lines]
  if (!certain) {
    for (const { line, position } of found.rivals) {
      put(solved, { line, start: position, end: position + 1 }, lines[line]![position]!)
    }
  }
  return {
    layout,
    lines: solved,
    corrections: differences(hypothesis, solved),
    confidence: found.confidence,
    certain,
  }
}
