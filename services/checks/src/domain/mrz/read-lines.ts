import { weightedSum } from './check-digit.ts'
import { birthDate, expiryDate, isPossibleDate, type Today } from './dates.ts'
import type { FieldName, Layout } from './layouts.ts'
import { readDocumentNumber } from './read-document-number.ts'
import { splitNames, withoutFillers } from './split-names.ts'
import type { MrzCheckDigits, MrzCorrection, MrzDocument } from './types.ts'

/** The first letter is the kind of document (ICAO 9303-4, -5, -6, -7: P, A, C, I, V). */
const documentKinds = 'PACIV'

function fieldText(lines: readonly string[], layout: Layout, name: FieldName): string {
  const field = layout.fields[name]
  return field === undefined ? '' : lines[field.line]!.slice(field.start, field.end)
}

/**
 * Whether the field's check digit is valid; null when the layout has no such digit. A field of fillers has a filler as
 * check digit.
 */
function fieldHolds(lines: readonly string[], layout: Layout, name: FieldName): boolean | null {
  const field = layout.fields[name]
  const position = layout.checks[name]
  if (field === undefined || position === undefined) return null
  const line = lines[field.line]!
  const code = line.charCodeAt(position)
  if (code !== 60) return weightedSum(line, field.start, field.end) === code - 48
  for (let at = field.start; at < field.end; at++) if (line.charCodeAt(at) !== 60) return false
  return true
}

function compositeHolds(lines: readonly string[], layout: Layout): boolean | null {
  if (layout.composite === null) return null
  let sum = 0
  let phase = 0
  for (const { line, start, end } of layout.composite.covers) {
    const part = weightedSum(lines[line]!, start, end, phase)
    if (part < 0) return false
    sum += part
    phase = (phase + end - start) % 3
  }
  return sum % 10 === lines[layout.composite.line]!.charCodeAt(layout.composite.position) - 48
}

function optionalData(
  lines: readonly string[],
  layout: Layout,
  name: FieldName,
  start?: number,
): string | null {
  const field = layout.fields[name]
  if (field === undefined) return null
  return withoutFillers(lines[field.line]!.slice(start ?? field.start, field.end))
}

/**
 * Splits lines that already have the layout's count and length, and recomputes every check digit. `valid` means that
 * every check digit is valid, no date is impossible, and the document code names a kind of travel document. ICAO 9303-3
 * to -7.
 */
export function readLines(
  lines: string[],
  layout: Layout,
  today: Today,
  corrections: MrzCorrection[] = [],
): MrzDocument {
  const number = readDocumentNumber(lines, layout)
  const french = layout.format === 'fra_id'
  const names = french
    ? {
        surname: splitNames(fieldText(lines, layout, 'surname').replaceAll('<<', '<')).surname,
        given_names: splitNames(fieldText(lines, layout, 'given_names').replaceAll('<<', '<')).surname,
      }
    : splitNames(fieldText(lines, layout, 'name'))
  const birthRaw = fieldText(lines, layout, 'birth_date')
  const expiryRaw = fieldText(lines, layout, 'expiry_date')
  const birth = birthDate(birthRaw, today)
  const expiry = french ? null : expiryDate(expiryRaw, today)
  const issuingState = withoutFillers(fieldText(lines, layout, 'issuing_state'))
  const sex = fieldText(lines, layout, 'sex')
  const checks: MrzCheckDigits = {
    document_number: number.holds,
    birth_date: fieldHolds(lines, layout, 'birth_date'),
    expiry_date: fieldHolds(lines, layout, 'expiry_date'),
    optional_data: fieldHolds(lines, layout, 'optional_data'),
    composite: compositeHolds(lines, layout),
  }
  const valid =
    checks.document_number !== false &&
    checks.birth_date !== false &&
    checks.expiry_date !== false &&
    checks.optional_data !== false &&
    checks.composite !== false &&
    isPossibleDate(birthRaw, birth) &&
    (french || isPossibleDate(expiryRaw, expiry)) &&
    documentKinds.includes(lines[0]!.charAt(0))
  return {
    format: layout.format,
    document_code: withoutFillers(fieldText(lines, layout, 'document_code')),
    issuing_state: issuingState,
    surname: names.surname,
    given_names: names.given_names,
    document_number: number.number,
    nationality: french ? issuingState : withoutFillers(fieldText(lines, layout, 'nationality')),
    birth_date_raw: birthRaw,
    expiry_date_raw: expiryRaw,
    birth_date: birth,
    expiry_date: expiry,
    sex: sex === 'M' || sex === 'F' ? sex : 'X',
    optional_data: optionalData(lines, layout, 'optional_data', number.optionalStart),
    optional_data_2: optionalData(lines, layout, 'optional_data_2'),
    check_digits: checks,
    valid,
    lines,
    corrections,
  }
}
