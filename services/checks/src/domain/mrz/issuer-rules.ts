import { candidates } from './confusions.ts'
import { fits, numberForms, type Place } from './issuer-formats.ts'
import type { Layout, Span } from './layouts.ts'
import { type ProvenNumber, provenCards, provenPersons } from './national-numbers.ts'
import { withoutFillers } from './split-names.ts'

/** One number format of an issuer: the permitted characters at each position of a line. */
export interface Form {
  line: number
  places: ReadonlyMap<number, Place>
}

/** A format with the rule that its numbers satisfy. */
export interface ProvenForm {
  form: Form
  proven: ProvenNumber
}

/** What is known of the issuer of one MRZ, limited to what the characters read may match. */
export interface IssuerRules {
  /** The formats of a document number of at most nine characters. */
  number: readonly Form[]
  /** The format of a longer document number. */
  longNumber: ProvenForm | null
  /** The format of the personal number, which is first in its field. */
  person: ProvenForm | null
}

const filler = 60

const formAt = (line: number, positions: readonly number[], places: readonly Place[]): Form => ({
  line,
  places: new Map(places.map((place, at) => [positions[at]!, place])),
})

const range = ({ start, end }: Span): number[] => Array.from({ length: end - start }, (_, at) => start + at)

/** Positions of a number that may continue in the optional data. */
function longPositions(line: string, layout: Layout): number[] {
  const separator = line.charCodeAt(layout.checks.document_number!)
  if (!layout.longNumbers || !candidates.letter[separator]!.some(({ code }) => code === filler)) return []
  return [...range(layout.fields.document_number!), ...range(layout.fields.optional_data!)]
}

function longNumber(lines: readonly string[], layout: Layout, state: string): ProvenForm | null {
  const proven = provenCards[state]
  if (proven === undefined) return null
  const { line } = layout.fields.document_number!
  const positions = longPositions(lines[line]!, layout).slice(0, proven.places.length)
  const read = positions.map((at) => lines[line]![at]).join('')
  return fits(proven.places, read) ? { form: formAt(line, positions, proven.places), proven } : null
}

function person(lines: readonly string[], { fields }: Layout, state: string): ProvenForm | null {
  const proven = provenPersons[state]
  const field = state === 'BEL' ? fields.optional_data_2 : fields.optional_data
  if (proven === undefined || field === undefined) return null
  const { line, start } = field
  const { places } = proven
  if (!fits(places, lines[line]!.slice(start, Math.min(field.end, start + places.length)))) return null
  return { form: formAt(line, range({ line, start, end: start + places.length }), places), proven }
}

/** The rules of the issuer named in `lines`; the state must have been corrected before. */
export function issuerRules(lines: readonly string[], layout: Layout): IssuerRules {
  if (layout.format === 'fra_id') return { number: [], longNumber: null, person: null }
  const { issuing_state, document_number } = layout.fields
  const text = ({ line, start, end }: Span): string => lines[line]!.slice(start, end)
  const state = withoutFillers(text(issuing_state!))
  const kind = lines[0]!.charAt(0)
  const number = document_number!
  // The optional data of a visa describe the visa and are the issuer's own.
  const visa = kind === 'V'
  return {
    number: numberForms(state, kind, text(number)).map((places) =>
      formAt(number.line, range(number), places),
    ),
    longNumber: visa || kind === 'P' ? null : longNumber(lines, layout, state),
    person: visa ? null : person(lines, layout, state),
  }
}
