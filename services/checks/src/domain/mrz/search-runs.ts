import { candidates } from './confusions.ts'
import { expiryDate, isCalendarDay, type Today } from './dates.ts'
import { type Field, readField, readIssuedField } from './issued-runs.ts'
import type { Form, IssuerRules, ProvenForm } from './issuer-rules.ts'
import type { FieldName, Layout, Span } from './layouts.ts'
import type { Position, Reading } from './reading-table.ts'
import type { PositionWeigher } from './weigh-positions.ts'

/** Positions that are read together, with all their possible readings. */
export interface Run {
  line: number
  /** Positions of the characters of each reading. */
  positions: readonly number[]
  readings: readonly Reading[]
  /** Whether the run has its own check digit. */
  checked: boolean
}

const costOfFarExpiry = 3
const costOfUnlikelyIssue = 5
const farPastYears = 35
const farFutureYears = 15
const filler = 60

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index)

const withoutFiller = (position: Position): Position => ({
  ...position,
  candidates: position.candidates.filter(({ code }) => code !== filler),
})

/** YYMMDD that is a date in some century, or has unknown parts. */
function isPossible(text: string): boolean {
  const date = text.slice(0, 6)
  if (date.includes('<')) return true
  return isCalendarDay(2000 + Number(date.slice(0, 2)), Number(date.slice(2, 4)), Number(date.slice(4)))
}

function isFarExpiry(text: string, today: Today): boolean {
  const year = Number.parseInt(expiryDate(text.slice(0, 6), today) ?? '', 10)
  return year < today.year - farPastYears || year > today.year + farFutureYears
}

/** The runs of one MRZ, for every possible layout of its number. */
export class RunReader {
  private readonly weigher: PositionWeigher
  private readonly lines: readonly string[]
  private readonly layout: Layout
  private readonly today: Today
  private readonly issuer: IssuerRules

  constructor(
    weigher: PositionWeigher,
    lines: readonly string[],
    layout: Layout,
    today: Today,
    issuer: IssuerRules,
  ) {
    this.issuer = issuer
    this.weigher = weigher
    this.lines = lines
    this.layout = layout
    this.today = today
  }

  /** The alternatives: one list of runs, or three where the number may be a long one. */
  alternatives(): Run[][] {
    const { fields, checks, format } = this.layout
    const birth = this.date('birth_date')
    if (format === 'fra_id') {
      return [
        [
          this.unchecked({ line: 0, start: 0, end: 5 }),
          this.unchecked(fields.surname!),
          this.unchecked(fields.optional_data!),
          this.frenchNumber(),
          this.unchecked(fields.given_names!),
          birth,
          this.unchecked(fields.sex!),
        ],
      ]
    }
    const common = [birth, this.date('expiry_date')]
    if (fields.optional_data_2 !== undefined) common.push(this.unchecked(fields.optional_data_2))
    const optional =
      checks.optional_data === undefined
        ? this.unchecked(fields.optional_data!)
        : this.checked('optional_data')
    return [
      [this.checked('document_number'), optional, ...common],
      ...this.longNumber().map(({ number, rest }) => [number, this.unchecked(rest), ...common]),
    ]
  }

  private checked(name: FieldName): Run {
    const field = this.layout.fields[name]!
    const position = this.layout.checks[name]!
    const check = this.weigher.checkDigit(field, position)
    const weigh = (form: Form | null): Field => ({ positions: this.weigher.field(field, true, form), check })
    const forms = name === 'document_number' ? this.issuer.number : []
    return {
      line: field.line,
      positions: range(field.start, position + 1),
      readings: this.readings(weigh, this.personIn(field), forms),
      checked: true,
    }
  }

  /** The readings of a field: in any format and, where known, in the formats of its issuer. */
  private readings(
    weigh: (form: Form | null) => Field,
    proven: ProvenForm | null,
    forms: readonly Form[] = [],
    write = (text: string): string => text,
  ): Reading[] {
    const any = weigh(null)
    if (proven === null)
      return forms.length === 0 ? readField(any) : readIssuedField(forms.map(weigh), any, null)
    const { holds, places } = proven.proven
    return readIssuedField([weigh(proven.form)], any, (text) => holds(write(text).slice(0, places.length)))
  }

  private date(name: 'birth_date' | 'expiry_date'): Run {
    const run = this.checked(name)
    const possible = run.readings.filter(({ text }) => isPossible(text))
    if (name === 'birth_date') return { ...run, readings: possible }
    // An expiry far from now is rare, and more likely caused by a 7 read as 1 in the first digit, or the reverse.
    const weigh = (reading: Reading): Reading =>
      isFarExpiry(reading.text, this.today) ? { ...reading, cost: reading.cost + costOfFarExpiry } : reading
    return { ...run, readings: possible.map(weigh) }
  }

  /** The number begins with the year and month of issue; cards of this kind were issued from 1987 to 2021. */
  private frenchNumber(): Run {
    const run = this.checked('document_number')
    const weigh = (reading: Reading): Reading => {
      const year = Number(reading.text.slice(0, 2))
      const month = Number(reading.text.slice(2, 4))
      const likely = (year >= 87 || year <= 21) && month >= 1 && month <= 12
      return likely ? reading : { ...reading, cost: reading.cost + costOfUnlikelyIssue }
    }
    return { ...run, readings: run.readings.map(weigh) }
  }

  private unchecked(span: Span): Run {
    const weigh = (form: Form | null): Field => ({
      positions: this.weigher.field(span, false, form),
      check: null,
    })
    return {
      line: span.line,
      positions: range(span.start, span.end),
      readings: this.readings(weigh, this.personIn(span)),
      checked: false,
    }
  }

  /** The format of the personal number when it is in this field. */
  private personIn({ line, start }: Span): ProvenForm | null {
    const { person } = this.issuer
    return person !== null && person.form.line === line && person.form.places.has(start) ? person : null
  }

  /** The number with its overflow and the rest of the optional data, for either weight of the filler between them. */
  private longNumber(): { number: Run; rest: Span }[] {
    const { fields, checks, longNumbers } = this.layout
    const number = fields.document_number!
    const optional = fields.optional_data!
    const { line } = number
    const text = this.lines[line]!
    const separator = checks.document_number!
    const read = text.charCodeAt(separator)
    const option = candidates.letter[read]!.find(({ code }) => code === filler)
    if (!longNumbers || option === undefined) return []
    let end = optional.start
    while (end < optional.end && text.charCodeAt(end) !== filler) end++
    if (end === optional.start) return []
    const length = number.end - number.start
    const known = this.issuer.longNumber
    const proven = known?.proven.places.length === length + end - 1 - optional.start ? known : null
    const gap: Position = { ...this.weigher.position(line, separator, 0), candidates: [option] }
    const last: Position = {
      ...this.weigher.position(line, end - 1, 0),
      candidates: this.weigher.candidatesOf(line, end - 1, 'digit').filter(({ code }) => code !== filler),
    }
    return [length, length + 1].map((phase) => {
      const overflow = { line, start: optional.start, end: end - 1 }
      const weigh = (form: Form | null): Field => ({
        positions: [
          // A number continues only if its first nine positions are filled (9303-5 and 9303-6, note j).
          ...this.weigher.field(number, true, form).map(withoutFiller),
          gap,
          ...this.weigher.field(overflow, true, form, phase),
        ],
        check: last,
      })
      const withoutGap = (text: string): string => text.slice(0, length) + text.slice(length + 1)
      return {
        number: {
          line,
          positions: [...range(number.start, separator + 1), ...range(optional.start, end)],
          readings: this.readings(weigh, proven, [], withoutGap),
          checked: true,
        },
        rest: { line, start: end, end: optional.end },
      }
    })
  }
}
