import { toMrzName } from '../mrz/index.ts'
import { isSameMrzName } from '../mrz/to-mrz-name.ts'
import type { MrzDocument } from '../mrz/types.ts'
import { editDistance } from './edit-distance.ts'
import { readPrintedDate } from './printed-date.ts'
import type { PrintedLine } from './printed-line.ts'
import type { VisualValue, VisualZone } from './visual-zone.ts'

export type CrossCheckField =
  | 'surname'
  | 'given_names'
  | 'document_number'
  | 'birth_date'
  | 'expiry_date'
  | 'sex'

export interface CrossCheck {
  readonly field: CrossCheckField
  readonly mrz: string
  readonly visual: string
  readonly match: boolean
}

/** A value with lower confidence may be misread: it can confirm, but never contradict. */
const CONTRADICTS_FROM = 0.85
/** From this confidence on, no letter of a name may differ. */
const EXACT_FROM = 0.97

/**
 * Compares the MRZ with the visual zone: names after transliteration and truncation (ICAO 9303-3 sections 4.6 and 6),
 * numbers and dates exactly. Omits fields that are not printed or whose confidence is too low to contradict. Unlabelled
 * text can confirm, but it contradicts only through a hyphen.
 */
export function crossCheck(
  mrz: MrzDocument,
  visual: VisualZone,
  lines: readonly PrintedLine[],
  today: Date,
): CrossCheck[] {
  const checks: CrossCheck[] = []
  const add = (
    field: CrossCheckField,
    expected: string,
    value: VisualValue | undefined,
    same: (text: string) => boolean,
  ) => {
    if (expected === '') return
    if (value && [value.value, ...value.alternatives].some(same)) {
      checks.push({ field, mrz: expected, visual: value.value, match: true })
      return
    }
    const elsewhere = lines.find((line) => same(line.text))
    if (elsewhere) checks.push({ field, mrz: expected, visual: elsewhere.text, match: true })
    else if (value && value.confidence >= CONTRADICTS_FROM) {
      checks.push({ field, mrz: expected, visual: value.value, match: false })
    }
  }
  for (const field of ['surname', 'given_names'] as const) {
    const confidence = visual[field]?.confidence ?? 1
    const cut = isCut(mrz, field)
    const divided = dividedInPrint(mrz[field], lines)
    if (divided !== undefined) {
      checks.push({ field, mrz: mrz[field], visual: divided.text, match: false })
      continue
    }
    const whole = [`${mrz.surname} ${mrz.given_names}`, `${mrz.given_names} ${mrz.surname}`]
    add(field, mrz[field], visual[field], (text) =>
      // One line may contain the name in two scripts or languages, or the whole name.
      [text, ...text.split('/')].some(
        (part) =>
          sameName(part, mrz[field], cut, confidence) || whole.some((name) => sameName(part, name, cut, 1)),
      ),
    )
  }
  add('document_number', mrz.document_number, visual.document_number, (text) =>
    sameNumber(text, mrz.document_number),
  )
  add('birth_date', mrz.birth_date ?? '', visual.birth_date, (text) =>
    sameDate(text, mrz.birth_date, 'birth', today),
  )
  add('expiry_date', mrz.expiry_date ?? '', visual.expiry_date, (text) =>
    sameDate(text, mrz.expiry_date, 'expiry', today),
  )
  if (mrz.sex !== 'X' && visual.sex && visual.sex.confidence >= EXACT_FROM) {
    checks.push({ field: 'sex', mrz: mrz.sex, visual: visual.sex.value, match: visual.sex.value === mrz.sex })
  }
  return checks
}

/**
 * The high-confidence line that prints a name with a hyphen where the MRZ has no separator. The MRZ writes a hyphen as
 * one filler, readers lose single fillers, and no check digit covers names.
 */
function dividedInPrint(name: string, lines: readonly PrintedLine[]): PrintedLine | undefined {
  const words = toMrzName(name)
  const letters = words.replaceAll('<', '')
  return lines.find(
    ({ text, confidence }) =>
      confidence >= EXACT_FROM &&
      /\p{L}-\p{L}/u.test(text) &&
      toMrzName(text) !== words &&
      toMrzName(text).replaceAll('<', '') === letters,
  )
}

/** Whether a name fills its field to the last character, so that it may be truncated. */
export function isCut({ format, lines }: MrzDocument, field: 'surname' | 'given_names'): boolean {
  if (format !== 'fra_id') return !lines[format === 'td1' ? 2 : 0]!.endsWith('<')
  return (field === 'surname' ? lines[0]![29] : lines[1]![26]) !== '<'
}

function sameName(printed: string, mrzName: string, cut: boolean, confidence: number): boolean {
  if (isSameMrzName(printed, mrzName, cut)) return true
  if (confidence >= EXACT_FROM) return false
  const a = toMrzName(printed).replaceAll('<', '')
  const b = toMrzName(mrzName).replaceAll('<', '')
  if (a.length < 2) return false
  const tolerance = Math.max(1, Math.floor(b.length / 8))
  return editDistance(a, b, tolerance) <= tolerance
}

/** Treats letters and digits that OCR confuses as equal; ignores spaces and separators. */
const folded = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/[OQD]/g, '0')
    .replace(/I/g, '1')
    .replace(/Z/g, '2')
    .replace(/S/g, '5')
    .replace(/B/g, '8')

function sameNumber(printed: string, number: string): boolean {
  const expected = folded(number)
  if (expected.length < 4) return folded(printed) === expected
  // The printed line often contains a label, a series or a check letter as well.
  return folded(printed).includes(expected)
}

function sameDate(text: string, expected: string | null, kind: 'birth' | 'expiry', today: Date): boolean {
  if (expected === null) return false
  return text === expected || readPrintedDate(text, { today, kind }).includes(expected)
}
