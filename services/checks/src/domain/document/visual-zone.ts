import type { LabelField, VisualField } from './label-texts.ts'
import { findLabel } from './labels.ts'
import { readPrintedDate } from './printed-date.ts'
import { heightOf, middleOf, type PrintedLine } from './printed-line.ts'

export interface VisualValue {
  /** As printed; dates as `YYYY-MM-DD`. */
  readonly value: string
  /** Other dates that the same text may mean (day and month exchanged, another century). */
  readonly alternatives: readonly string[]
  /** Mean probability of the line it was read from, 0 to 1. */
  readonly confidence: number
}

export type VisualZone = { readonly [F in VisualField]?: VisualValue }

/** How far below and to the right of a label its value may be, in heights of the label. */
const REACH_BELOW = 3.2
const REACH_RIGHT = 12
/** A line with a lower mean probability is treated as noise. */
const MIN_CONFIDENCE = 0.6

interface Labelled {
  readonly line: PrintedLine
  readonly field: LabelField
  readonly rest: string | null
}

/**
 * Reads the fields of a document's visual zone by label and position: the value follows the label on its line, or is
 * below it, or to the right of it, in that order. The caller must exclude the lines of the MRZ.
 */
export function readVisualZone(lines: readonly PrintedLine[], today: Date): VisualZone {
  const { labels, others } = separate(lines)
  const zone: { -readonly [F in VisualField]?: VisualValue } = {}
  for (const label of labels) {
    const { field } = label
    if (field === 'issue_date' || field === 'birth_place' || field === 'other' || zone[field]) continue
    const value = valueBeside(label, field, labels, others, today)
    if (value) zone[field] = value
  }
  zone.surname ??= surnameAbove(labels, others, zone, today)
  if (!zone.surname && !zone.given_names && !zone.full_name)
    Object.assign(zone, namesAbove(labels, others, today))
  zone.document_number ??= onlyNumber(others, today)
  for (const field of Object.keys(zone) as VisualField[]) if (!zone[field]) delete zone[field]
  return zone
}

/** Separates labels from other lines, and rejoins labels that detection split in two. */
function separate(lines: readonly PrintedLine[]): { labels: Labelled[]; others: PrintedLine[] } {
  const labels: Labelled[] = []
  const rest: PrintedLine[] = []
  for (const line of lines) {
    const label = findLabel(line.text)
    if (label) labels.push({ line, ...label })
    else rest.push(line)
  }
  const parts = new Set<PrintedLine>()
  for (const left of rest) {
    const height = heightOf(left)
    const right = rest.find(
      (line) =>
        line !== left &&
        Math.abs(middleOf(line) - middleOf(left)) < 0.4 * height &&
        Math.abs(line.left - left.right) < height,
    )
    if (!right) continue
    const joined: PrintedLine = { ...left, text: `${left.text} ${right.text}`, right: right.right }
    const label = findLabel(joined.text)
    if (!label || label.rest !== null) continue
    labels.push({ line: joined, ...label })
    parts.add(left).add(right)
  }
  return { labels, others: rest.filter((line) => !parts.has(line) && line.confidence >= MIN_CONFIDENCE) }
}

/** The name printed directly above the label of the given names, for an illegible surname label. */
function surnameAbove(
  labels: readonly Labelled[],
  others: readonly PrintedLine[],
  zone: VisualZone,
  today: Date,
): VisualValue | undefined {
  const label = labels.find((l) => l.field === 'given_names')
  if (!label || !zone.given_names) return undefined
  const height = heightOf(label.line)
  const above = others.find(
    (line) =>
      Math.abs(line.left - label.line.left) < 2 * height &&
      middleOf(line) < middleOf(label.line) - 0.4 * height &&
      middleOf(line) > middleOf(label.line) - 2.2 * height,
  )
  return (above && interpret('surname', above.text, above.confidence, today)) ?? undefined
}

/** Two names above the topmost legible label of their column, for illegible name labels. */
function namesAbove(labels: readonly Labelled[], others: readonly PrintedLine[], today: Date): VisualZone {
  const top = labels
    .filter((l) => l.field === 'document_number' || l.field === 'birth_date')
    .reduce<Labelled | null>((a, b) => (a && middleOf(a.line) < middleOf(b.line) ? a : b), null)
  if (!top) return {}
  const height = heightOf(top.line)
  const names = others
    .filter(
      (line) =>
        Math.abs(line.left - top.line.left) < 2 * height &&
        middleOf(line) < middleOf(top.line) &&
        middleOf(line) > middleOf(top.line) - 9 * height &&
        line.text === line.text.toUpperCase(),
    )
    .sort((a, b) => middleOf(a) - middleOf(b))
    .slice(-2)
    .map((line) => interpret('surname', line.text, line.confidence, today))
  const [surname, given] = names
  return names.length === 2 && surname && given ? { surname, given_names: given } : {}
}

/** The only text on the page that can be a document number: six or more characters, with digits, and not a date. */
function onlyNumber(others: readonly PrintedLine[], today: Date): VisualValue | undefined {
  const numbers = others.filter(
    ({ text }) =>
      /^[A-Z]{0,3}[0-9][A-Z0-9]{5,14}$/.test(text.replace(/[ -]/g, '')) &&
      readPrintedDate(text, { today, kind: 'any' }).length === 0,
  )
  const [only] = numbers
  if (numbers.length !== 1 || !only) return undefined
  return { value: only.text.replace(/[ -]/g, ''), alternatives: [], confidence: only.confidence }
}

function valueBeside(
  label: Labelled,
  field: VisualField,
  labels: readonly Labelled[],
  others: readonly PrintedLine[],
  today: Date,
): VisualValue | null {
  if (label.rest !== null) return interpret(field, label.rest, label.line.confidence, today)
  const candidates = [
    ...below(label, labels, others),
    ...rightOf(label, others),
    ...valuesLikeLabels(label, labels),
  ]
  for (const candidate of candidates) {
    const value = interpret(field, candidate.text, candidate.confidence, today)
    if (value) return value
  }
  return null
}

/** A name can equal a label text, so larger capitals directly below a label in small print are its value. */
function valuesLikeLabels(label: Labelled, labels: readonly Labelled[]): PrintedLine[] {
  const lines = labels
    .map((other) => other.line)
    .filter((line) => line.text === line.text.toUpperCase() && heightOf(line) > 1.1 * heightOf(label.line))
  return label.line.text === label.line.text.toUpperCase() ? [] : below(label, [], lines)
}

/** Lines below a label with no other label of the same column in between, nearest first. */
function below(label: Labelled, labels: readonly Labelled[], others: readonly PrintedLine[]): PrintedLine[] {
  const height = heightOf(label.line)
  const inColumn = (line: PrintedLine) =>
    line.left < label.line.right &&
    line.right > label.line.left &&
    Math.abs(line.left - label.line.left) < 4 * height
  const under = (line: PrintedLine) =>
    inColumn(line) &&
    middleOf(line) > middleOf(label.line) + 0.4 * height &&
    middleOf(line) < middleOf(label.line) + REACH_BELOW * height
  const next = Math.min(
    ...labels.filter((l) => l !== label && under(l.line)).map((l) => middleOf(l.line)),
    Number.POSITIVE_INFINITY,
  )
  return others
    .filter((line) => under(line) && middleOf(line) < next)
    .sort(
      (a, b) =>
        middleOf(a) - middleOf(b) || Math.abs(a.left - label.line.left) - Math.abs(b.left - label.line.left),
    )
}

function rightOf(label: Labelled, others: readonly PrintedLine[]): PrintedLine[] {
  const height = heightOf(label.line)
  return others
    .filter(
      (line) =>
        Math.abs(middleOf(line) - middleOf(label.line)) < 0.6 * Math.max(height, heightOf(line)) &&
        line.left > label.line.right - height &&
        line.left < label.line.right + REACH_RIGHT * height,
    )
    .sort((a, b) => a.left - b.left)
}

/** The value if the text fits the kind of the field, otherwise null. */
function interpret(field: VisualField, text: string, confidence: number, today: Date): VisualValue | null {
  const printed = text.trim()
  if (field === 'birth_date' || field === 'expiry_date') {
    const [value, ...alternatives] = readPrintedDate(printed, {
      today,
      kind: field === 'birth_date' ? 'birth' : 'expiry',
    })
    return value ? { value, alternatives, confidence } : null
  }
  const plain = (value: string | null): VisualValue | null =>
    value === null ? null : { value, alternatives: [], confidence }
  if (field === 'sex') return plain(sexOf(printed))
  if (field === 'document_number') return plain(numberOf(printed))
  return plain(nameOf(printed))
}

function sexOf(text: string): string | null {
  const match = text.toUpperCase().match(/^\W*(MALE|FEMALE|[MFXW])(?:\W|$)/)
  if (!match) return null
  const [first] = match[1]!
  return first === 'W' ? 'F' : first!
}

/** Four or more characters including a digit, or one word of six or more capitals. Ignores spaces. */
function numberOf(text: string): string | null {
  const compact = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  if (compact.length < 4 || compact.length > 20) return null
  return /\d/.test(compact) || /^[A-Z]{6,12}$/.test(text) ? compact : null
}

/** A name has at least two Latin letters, no digits, and is not a sentence; letters of other scripts are removed. */
function nameOf(text: string): string | null {
  const name = text
    .replace(/(?!\p{Script=Latin})\p{L}/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}]+|[^\p{L}.]+$/gu, '')
  return /\p{L}.*\p{L}/u.test(name) && !/\d/.test(name) && name.length <= 80 ? name : null
}
