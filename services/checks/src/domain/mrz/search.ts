import { weights } from './check-digit.ts'
import { type Candidate, candidates, type CharacterClass } from './confusions.ts'
import { isCalendarDay } from './dates.ts'
import type { FieldName, Layout, Span } from './layouts.ts'
import { type JointReading, joinRuns, type Position, type Reading, readCheckedRun, readRun } from './reading-table.ts'
import { templates } from './templates.ts'

/** Characters of one run, and all that may be printed there. */
interface Run {
  line: number
  start: number
  end: number
  /** Whether the run ends in a check digit of its own. */
  checked: boolean
  readings: readonly Reading[]
}

export interface SearchResult {
  /** Every line, with the cheapest reading that satisfies all check digits; as read where none does. */
  lines: string[]
  /** Probability of that reading among all that satisfy the digits. */
  confidence: number
  /** Positions in which a rival reading differs. */
  rivals: { line: number; position: number }[]
  /** False when no reading satisfies every digit. */
  found: boolean
}

/** How much rarer a letter is than a digit inside a document number, as a cost. */
const costOfLetterInside = 2.7
const costOfLetterAtStart = 1
const filler = 60

/** Composite weight of every position of every line. */
const compositeWeights = new Map<Layout, number[][]>(
  [...templates.keys()].map((layout) => {
    const lines = Array.from({ length: layout.lineCount }, () => new Array<number>(layout.lineLength).fill(0))
    let turn = 0
    for (const { line, start, end } of layout.composite?.covers ?? []) {
      for (let position = start; position < end; position++) lines[line]![position] = weights[turn++ % 3]!
    }
    return [layout, lines]
  }),
)

const isLetter = (code: number): boolean => code >= 65 && code <= 90

/** Searches one MRZ whose lines already have the layout's length. */
class Search {
  private readonly lines: readonly string[]
  private readonly layout: Layout
  private readonly reluctance: number

  constructor(lines: readonly string[], layout: Layout, reluctance: number) {
    this.lines = lines
    this.layout = layout
    this.reluctance = reluctance
  }

  private candidatesAt(line: number, position: number, characterClass: CharacterClass, prior = 0): Candidate[] {
    const read = this.lines[line]!.charCodeAt(position)
    const list: Candidate[] = []
    const options = candidates[characterClass][read]!
    for (const { code, cost } of options) {
      list.push({
        code,
        cost: (cost > 0 ? cost + this.reluctance : 0) + (isLetter(code) ? prior : 0),
      })
    }
    return list.length > 0 ? list : [{ code: read, cost: 0 }]
  }

  private position(line: number, position: number, own: number, prior = 0): Position {
    const characterClass = templates.get(this.layout)![line]!.classes[position]!
    return {
      candidates: this.candidatesAt(line, position, characterClass, characterClass === 'any' ? prior : 0),
      own,
      composite: compositeWeights.get(this.layout)![line]![position]!,
    }
  }

  private field({ line, start, end }: Span, own: boolean, phase = 0): Position[] {
    return Array.from({ length: end - start }, (_, index) =>
      this.position(
        line,
        start + index,
        own ? weights[(phase + index) % 3]! : 0,
        index < 2 ? costOfLetterAtStart : costOfLetterInside,
      ),
    )
  }

  /** A check digit; a filler only where the whole field is fillers. */
  private check(field: Span, position: number): Position {
    const check = this.position(field.line, position, 0)
    for (let at = field.start; at < field.end; at++) {
      if (this.lines[field.line]!.charCodeAt(at) === filler) continue
      return { ...check, candidates: check.candidates.filter(({ code }) => code !== filler) }
    }
    return check
  }

  private checkedField(name: FieldName): Run {
    const field = this.layout.fields[name]!
    const position = this.layout.checks[name]!
    return {
      ...field,
      end: position + 1,
      checked: true,
      readings: readCheckedRun(this.field(field, true), this.check(field, position)),
    }
  }

  private date(name: 'birth_date' | 'expiry_date'): Run {
    const run = this.checkedField(name)
    return { ...run, readings: run.readings.filter(({ text }) => isPossible(text)) }
  }

  private free(span: Span): Run {
    return { ...span, checked: false, readings: readRun(this.field(span, false)) }
  }

  /** The number with its overflow and the rest of the optional data, for either weight of the filler between them. */
  private longNumber(): { number: Run; rest: Span }[] {
    const number = this.layout.fields.document_number!
    const optional = this.layout.fields.optional_data!
    const line = this.lines[number.line]!
    const separator = this.layout.checks.document_number!
    const isFiller = candidates.letter[line.charCodeAt(separator)]!.some(({ code }) => code === filler)
    if (!this.layout.longNumbers || !isFiller) return []
    let end = optional.start
    while (end < optional.end && line.charCodeAt(end) !== filler) end++
    if (end === optional.start) return []
    const length = number.end - number.start
    const gap: Position = {
      ...this.position(number.line, separator, 0),
      candidates: [{ code: filler, cost: line.charCodeAt(separator) === filler ? 0 : 2.5 }],
    }
    const last = this.position(number.line, end - 1, 0)
    const digits = this.candidatesAt(number.line, end - 1, 'digit').filter(({ code }) => code !== filler)
    return [length, length + 1].map((phase) => ({
      number: {
        line: number.line,
        start: number.start,
        end,
        checked: true,
        readings: readCheckedRun(
          [
            ...this.field(number, true),
            gap,
            ...this.field({ line: number.line, start: optional.start, end: end - 1 }, true, phase),
          ],
          { ...last, candidates: digits },
        ),
      },
      rest: { line: number.line, start: end, end: optional.end },
    }))
  }

  /** The alternatives for the runs of this layout: one list, or three where the number may be a long one. */
  runs(): Run[][] {
    const { layout } = this
    const birth = this.date('birth_date')
    if (layout.format === 'fra_id') {
      const { surname, given_names, optional_data, sex } = layout.fields
      return [
        [
          this.free({ line: 0, start: 0, end: 5 }),
          this.free(surname!),
          this.free(optional_data!),
          this.checkedField('document_number'),
          this.free(given_names!),
          birth,
          this.free(sex!),
        ],
      ]
    }
    const dates = [birth, this.date('expiry_date')]
    const second = layout.fields.optional_data_2
    const common = second === undefined ? dates : [...dates, this.free(second)]
    const optional =
      layout.checks.optional_data === undefined
        ? this.free(layout.fields.optional_data!)
        : this.checkedField('optional_data')
    return [
      [this.checkedField('document_number'), optional, ...common],
      ...this.longNumber().map(({ number, rest }) => [number, this.free(rest), ...common]),
    ]
  }

  /** Joint readings that satisfy the composite digit, with the digit's own text last. */
  satisfying(runs: readonly Run[]): JointReading[] {
    const { composite } = this.layout
    const joint = joinRuns(runs.map((run) => run.readings))
    if (composite === null) return joint
    const digits = this.position(composite.line, composite.position, 0).candidates
    return joint.flatMap((reading) =>
      digits
        .filter(({ code }) => code - 48 === reading.composite)
        .map(({ code, cost }) => ({
          ...reading,
          texts: [...reading.texts, String.fromCharCode(code)],
          cost: reading.cost + cost,
        })),
    )
  }
}

const daysOf = (month: number): number => (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31)

/** YYMMDD that may be a date in some century, or has unknown parts. */
function isPossible(text: string): boolean {
  if (text.slice(0, 6).includes('<')) return true
  const month = Number(text.slice(2, 4))
  const day = Number(text.slice(4, 6))
  const year = Number(text.slice(0, 2))
  return month >= 1 && month <= 12 && day <= daysOf(month) && isCalendarDay(2000 + year, month, day)
}

function put(lines: string[], { line, start }: { line: number; start: number }, text: string): void {
  lines[line] = lines[line]!.slice(0, start) + text + lines[line]!.slice(start + text.length)
}

/**
 * The cheapest reading of an MRZ that satisfies every check digit at once, and how much likelier it is than the next.
 *
 * Each field gives, for every residue it may add to the composite digit, its cheapest readings whose own digit holds;
 * the residues are then joined. That is exact: no reading that is cheaper and satisfies all digits is missed.
 * `reluctance` is added to the cost of every misreading: high where nothing else shows that the reader errs.
 */
export function search(lines: readonly string[], layout: Layout, reluctance: number): SearchResult {
  const work = new Search(lines, layout, reluctance)
  const solutions = work
    .runs()
    .flatMap((runs) =>
      work.satisfying(runs).map((reading) => {
        const solved = [...lines]
        for (const [index, text] of reading.texts.entries()) {
          const run = runs[index] ?? { line: layout.composite!.line, start: layout.composite!.position }
          put(solved, run, text)
        }
        return { lines: solved, cost: reading.cost }
      }),
    )
    .sort((a, b) => a.cost - b.cost)

  const best = solutions[0]
  if (best === undefined) return { lines: [...lines], confidence: 0, rivals: [], found: false }
  let total = 0
  const rivals: SearchResult['rivals'] = []
  const seen = new Set<string>()
  for (const solution of solutions) {
    const key = solution.lines.join('\n')
    if (seen.has(key)) continue
    seen.add(key)
    const weight = Math.exp(best.cost - solution.cost)
    total += weight
    if (weight < 0.02) continue
    for (const [line, text] of solution.lines.entries()) {
      for (let position = 0; position < text.length; position++) {
        if (text[position] !== best.lines[line]![position]) rivals.push({ line, position })
      }
    }
  }
  return { lines: best.lines, confidence: 1 / total, rivals, found: true }
}
