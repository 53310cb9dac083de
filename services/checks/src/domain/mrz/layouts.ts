import type { MrzFormat } from './types.ts'

/** A run of characters: line, first position, position after the last. */
export interface Span {
  line: number
  start: number
  end: number
}

export type FieldName =
  | 'document_code'
  | 'issuing_state'
  | 'name'
  | 'surname'
  | 'given_names'
  | 'document_number'
  | 'nationality'
  | 'birth_date'
  | 'sex'
  | 'expiry_date'
  | 'optional_data'
  | 'optional_data_2'

/** One layout: the position of each field and its check digit, and what the composite digit covers. */
export interface Layout {
  format: MrzFormat
  lineCount: number
  lineLength: number
  fields: Partial<Record<FieldName, Span>>
  /** Position of the check digit of a field, on the field's own line. */
  checks: Partial<Record<FieldName, number>>
  /** In the order in which the composite digit weights them; null when the layout has none. */
  composite: { covers: Span[]; line: number; position: number } | null
  /** Numbers of more than nine characters continue in the optional data (TD1: 9303-5 4.2.4, TD2: 9303-6 4.2.4). */
  longNumbers: boolean
}

const span = (line: number, start: number, end: number): Span => ({ line, start, end })

const twoLineFields = (lineLength: number, optionalEnd: number): Layout['fields'] => ({
  document_code: span(0, 0, 2),
  issuing_state: span(0, 2, 5),
  name: span(0, 5, lineLength),
  document_number: span(1, 0, 9),
  nationality: span(1, 10, 13),
  birth_date: span(1, 13, 19),
  sex: span(1, 20, 21),
  expiry_date: span(1, 21, 27),
  optional_data: span(1, 28, optionalEnd),
})
const twoLineChecks = { document_number: 9, birth_date: 19, expiry_date: 27 }

/** ICAO 9303-4 section 4.2: passport booklets. */
export const td3: Layout = {
  format: 'td3',
  lineCount: 2,
  lineLength: 44,
  fields: twoLineFields(44, 42),
  checks: { ...twoLineChecks, optional_data: 42 },
  composite: { covers: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 43)], line: 1, position: 43 },
  longNumbers: false,
}

/** ICAO 9303-6 section 4.2: two-line cards. */
export const td2: Layout = {
  format: 'td2',
  lineCount: 2,
  lineLength: 36,
  fields: twoLineFields(36, 35),
  checks: twoLineChecks,
  composite: { covers: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 35)], line: 1, position: 35 },
  longNumbers: true,
}

/** ICAO 9303-5 section 4.2: credit-card size. */
export const td1: Layout = {
  format: 'td1',
  lineCount: 3,
  lineLength: 30,
  fields: {
    document_code: span(0, 0, 2),
    issuing_state: span(0, 2, 5),
    document_number: span(0, 5, 14),
    optional_data: span(0, 15, 30),
    birth_date: span(1, 0, 6),
    sex: span(1, 7, 8),
    expiry_date: span(1, 8, 14),
    nationality: span(1, 15, 18),
    optional_data_2: span(1, 18, 29),
    name: span(2, 0, 30),
  },
  checks: { document_number: 14, birth_date: 6, expiry_date: 14 },
  composite: {
    covers: [span(0, 5, 30), span(1, 0, 7), span(1, 8, 15), span(1, 18, 29)],
    line: 1,
    position: 29,
  },
  longNumbers: true,
}

/** ICAO 9303-7 section 4.2: visas of passport size. */
export const mrvA: Layout = {
  format: 'mrv_a',
  lineCount: 2,
  lineLength: 44,
  fields: twoLineFields(44, 44),
  checks: twoLineChecks,
  composite: null,
  longNumbers: false,
}

/** ICAO 9303-7 section 5.2: smaller visas. */
export const mrvB: Layout = {
  format: 'mrv_b',
  lineCount: 2,
  lineLength: 36,
  fields: twoLineFields(36, 36),
  checks: twoLineChecks,
  composite: null,
  longNumbers: false,
}

/**
 * The French identity card issued until 2021, which is not an ICAO layout: surname and department code on the first
 * line, a number of twelve, given names, birth and sex on the second; no expiry. The composite covers both lines.
 */
export const fraId: Layout = {
  format: 'fra_id',
  lineCount: 2,
  lineLength: 36,
  fields: {
    document_code: span(0, 0, 2),
    issuing_state: span(0, 2, 5),
    surname: span(0, 5, 30),
    optional_data: span(0, 30, 36),
    document_number: span(1, 0, 12),
    given_names: span(1, 13, 27),
    birth_date: span(1, 27, 33),
    sex: span(1, 34, 35),
  },
  checks: { document_number: 12, birth_date: 33 },
  composite: { covers: [span(0, 0, 36), span(1, 0, 35)], line: 1, position: 35 },
  longNumbers: false,
}

export const layouts: readonly Layout[] = [td1, td2, td3, mrvA, mrvB, fraId]

/**
 * The layout for lines of the right lengths, or null. Visas begin with V. A two-line identity card with IDFRA uses the
 * old national layout, because France never issued the ICAO layout in that size.
 */
export function layoutOf(lines: readonly string[]): Layout | null {
  const first = lines[0] ?? ''
  const length = first.length
  for (const line of lines) if (line.length !== length) return null
  if (lines.length === 3) return length === 30 ? td1 : null
  if (lines.length !== 2) return null
  const visa = first.charCodeAt(0) === 86
  if (length === 44) return visa ? mrvA : td3
  if (length !== 36) return null
  return visa ? mrvB : first.startsWith('IDFRA') ? fraId : td2
}
