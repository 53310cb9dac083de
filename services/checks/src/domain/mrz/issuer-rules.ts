import { candidates } from './confusions.ts'
import { fits, numberPlaces, type Place } from './issuer-formats.ts'
import type { Layout, Span } from './layouts.ts'
import { type ProvenNumber, provenCards, provenPersons } from './national-numbers.ts'
import { withoutFillers } from './split-names.ts'

/** What is known of the issuer of one MRZ, where what was read may be so. */
export interface IssuerRules {
  /** Undefined where the issuer is not known to put certain characters. */
  place: (line: number, position: number) => Place | undefined
  /** The rule that a number of more than nine characters satisfies. */
  longNumber: ProvenNumber | null
  /** The number of the person, from `start` of its field on. */
  person: { proven: ProvenNumber; line: number; start: number } | null
}

const filler = 60
const lineStride = 64

/** Positions of a number that goes on in the optional data, without its check digit; null when none is as long. */
function longPositions(lines: readonly string[], layout: Layout, length: number): number[] | null {
  const number = layout.fields.document_number!
  const optional = layout.fields.optional_data!
  const line = lines[number.line]!
  const separator = line.charCodeAt(layout.checks.document_number!)
  if (!layout.longNumbers || !candidates.letter[separator]!.some(({ code }) => code === filler)) return null
  const positions: number[] = []
  for (let at = number.start; at < number.end; at++) positions.push(at)
  for (let at = optional.start; positions.length < length && at < optional.end; at++) positions.push(at)
  return positions
}

/** The rules of the issuer that `lines` name; the state must have been put right before. */
export function issuerRules(lines: readonly string[], layout: Layout): IssuerRules {
  const places = new Map<number, Place>()
  const { fields } = layout
  const text = ({ line, start, end }: Span): string => lines[line]!.slice(start, end)
  const state = layout.format === 'fra_id' ? '' : withoutFillers(text(fields.issuing_state!))
  const kind = lines[0]!.charAt(0)
  const put = (line: number, positions: readonly number[], found: readonly Place[]): void => {
    for (const [at, place] of found.entries()) places.set(line * lineStride + positions[at]!, place)
  }
  const rules: IssuerRules = {
    place: (line, position) => places.get(line * lineStride + position),
    longNumber: null,
    person: null,
  }
  const number = fields.document_number!
  const card = kind === 'V' || kind === 'P' ? undefined : provenCards[state]
  const positions = card === undefined ? null : longPositions(lines, layout, card.places.length)
  if (card !== undefined && positions !== null) {
    const read = positions.map((at) => lines[number.line]![at]).join('')
    if (fits(card.places, read)) {
      put(number.line, positions, card.places)
      rules.longNumber = card
    }
  }
  if (rules.longNumber === null) {
    const found = numberPlaces(state, kind, text(number))
    const from = (_: unknown, index: number): number => number.start + index
    if (found !== null) put(number.line, Array.from(found, from), found)
  }
  const person = provenPersons[state]
  const field = state === 'BEL' ? fields.optional_data_2 : fields.optional_data
  if (person !== undefined && field !== undefined) {
    const length = person.places.length
    if (fits(person.places, text(field).slice(0, length))) {
      put(
        field.line,
        Array.from({ length }, (_, at) => field.start + at),
        person.places,
      )
      rules.person = { proven: person, line: field.line, start: field.start }
    }
  }
  return rules
}
