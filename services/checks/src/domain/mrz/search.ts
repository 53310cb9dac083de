import { weights } from './check-digit.ts'
import { type Candidate, type CharacterClass, candidates } from './confusions.ts'
import { expiryDate, isCalendarDay, type Today } from './dates.ts'
import type { FieldName, Layout, Span } from './layouts.ts'
import { joinRuns, type Position, type Reading, readCheckedRun, readRun } from './reading-table.ts'
import { templates } from './templates.ts'

/** Characters of one run, and all that may be printed there. */
interface Run {
  line: number
  /** Positions of the characters of each reading. */
  positions: readonly number[]
  readings: readonly Reading[]
  /** Cost of its likeliest reading when no digit is asked. */
  cheapest: number
  /** Whether it has a check digit of its own. */
  checked: boolean
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index)

export interface SearchResult {
  /** Every line, with the cheapest reading that satisfies all check digits; as read where none does. */
  lines: string[]
  /** Probability of that reading against all others that satisfy the digits, and against a faulty document. */
  confidence: number
  /** False when no reading satisfies every digit. */
  found: boolean
}

/** How much rarer than a digit a letter is as the first character of a number or of optional data, and after letters. */
const costOfLetterAtStart = 1.5
const costOfLetterAfterLetters = 2
/** The same further on, by how many letters stand there that no digit is read as: most issuers use none. */
const costsOfLetterInside = [7, 1.5, 1.5, 0]
/** Issuers that use letters leave these out, because they look like digits. */
const costOfOmittedLetter = 2
const omittedLetters = 'IOQ'
const costOfFarExpiry = 3
/** A filler among other characters is not read as a letter and back; one beside fillers is. */
const costOfLoneFiller = 3
/** Cost of the explanation that the document itself is faulty, with and without a composite digit to confirm others. */
const costOfFaultyDocument = 8.5
const costOfFaultyVisa = 7
/** Every misreading seen makes another one likelier than a faulty document. */
const costPerMisreading = 3
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

/** Letters that a digit is read as. */
const digitLookalikes = new Set(
  [...Array(26).keys()].map((index) => 65 + index).filter((code) => candidates.digit[code]!.length > 0),
)

/** Searches one MRZ whose lines already have the layout's length. */
class Search {
  private readonly lines: readonly string[]
  private readonly layout: Layout
  private readonly reluctance: number

  private readonly today: Today

  constructor(lines: readonly string[], layout: Layout, reluctance: number, today: Today) {
    this.today = today
    this.lines = lines
    this.layout = layout
    this.reluctance = reluctance
  }

  private candidatesAt(line: number, position: number, characterClass: CharacterClass): Candidate[] {
    const read = this.lines[line]!.charCodeAt(position)
    const options = candidates[characterClass][read]!
    if (options.length === 0) return [{ code: read, cost: 0 }]
    const list = options.map(({ code, cost }) => ({ code, cost: cost > 0 ? cost + this.reluctance : 0 }))
    // Where a name ends has been decided before: no letter of it becomes a filler here.
    return characterClass === 'letter' && read !== filler ? list.filter(({ code }) => code !== filler) : list
  }

  private position(line: number, position: number, own: number): Position {
    const characterClass = templates.get(this.layout)![line]!.classes[position]!
    return {
      candidates: this.candidatesAt(line, position, characterClass),
      own,
      composite: compositeWeights.get(this.layout)![line]![position]!,
    }
  }

  /** What each candidate costs by how common such characters are in numbers and optional data. */
  private weighed(span: Span, position: number, inside: number, list: readonly Candidate[]): Candidate[] {
    const text = this.lines[span.line]!
    const besideFiller =
      text.charCodeAt(position + 1) === filler ||
      text.charCodeAt(position - 1) === filler ||
      position === span.end - 1
    let letters = span.start
    while (letters < position && isLetter(text.charCodeAt(letters))) letters++
    const atStart =
      position === span.start
        ? costOfLetterAtStart
        : letters === position
          ? costOfLetterAfterLetters
          : Infinity
    return list.map(({ code, cost }) => {
      if (code === filler) return { code, cost: cost > 0 && !besideFiller ? cost + costOfLoneFiller : cost }
      if (!isLetter(code)) return { code, cost }
      const rare = omittedLetters.includes(String.fromCharCode(code)) ? costOfOmittedLetter : 0
      return {
        code,
        cost: cost + rare + Math.min(inside, atStart),
      }
    })
  }

  private field(span: Span, own: boolean, phase = 0): Position[] {
    const { line, start, end } = span
    const classes = templates.get(this.layout)![line]!.classes
    let letters = 0
    for (let at = start; at < end; at++) {
      const code = this.lines[line]!.charCodeAt(at)
      if (isLetter(code) && !digitLookalikes.has(code) && at - start >= 2) letters++
    }
    const inside = costsOfLetterInside[Math.min(letters, costsOfLetterInside.length - 1)]!
    return Array.from({ length: end - start }, (_, index) => {
      const position = this.position(line, start + index, own ? weights[(phase + index) % 3]! : 0)
      if (classes[start + index] !== 'any') return position
      return { ...position, candidates: this.weighed(span, start + index, inside, position.candidates) }
    })
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
    const positions = this.field(field, true)
    const check = this.check(field, position)
    return {
      line: field.line,
      positions: range(field.start, position + 1),
      readings: readCheckedRun(positions, check),
      cheapest: cheapestOf([...positions, check]),
      checked: true,
    }
  }

  private date(name: 'birth_date' | 'expiry_date'): Run {
    const run = this.checkedField(name)
    const possible = run.readings.filter(({ text }) => isPossible(text))
    if (name === 'birth_date') return { ...run, readings: possible }
    // A document that expires far from now is rare: a 7 read as 1 in the first digit, or the reverse.
    const weigh = (reading: Reading): Reading =>
      isFarExpiry(reading.text, this.today) ? { ...reading, cost: reading.cost + costOfFarExpiry } : reading
    return { ...run, readings: possible.map(weigh) }
  }

  private free(span: Span): Run {
    const positions = this.field(span, false)
    return {
      line: span.line,
      positions: range(span.start, span.end),
      readings: readRun(positions),
      cheapest: cheapestOf(positions),
      checked: false,
    }
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
    const last = {
      ...this.position(number.line, end - 1, 0),
      candidates: this.candidatesAt(number.line, end - 1, 'digit').filter(({ code }) => code !== filler),
    }
    return [length, length + 1].map((phase) => {
      const positions = [
        ...this.field(number, true),
        gap,
        ...this.field({ line: number.line, start: optional.start, end: end - 1 }, true, phase),
      ]
      return {
        number: {
          line: number.line,
          positions: [...range(number.start, separator + 1), ...range(optional.start, end)],
          readings: readCheckedRun(positions, last),
          cheapest: cheapestOf([...positions, last]),
          checked: true,
        },
        rest: { line: number.line, start: end, end: optional.end },
      }
    })
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

  /** Joint readings that satisfy every digit, the cheapest first. */
  joint(): Group {
    const { composite } = this.layout
    const solutions: Solution[] = []
    for (const runs of this.runs()) {
      const digit = {
        line: composite!.line,
        positions: [composite!.position],
        readings: [],
        cheapest: 0,
        checked: true,
      }
      const options = this.position(composite!.line, composite!.position, 0).candidates
      for (const reading of joinRuns(runs.map((run) => run.readings))) {
        for (const { code, cost } of options) {
          if (code - 48 !== reading.composite) continue
          solutions.push({
            runs: [...runs, digit],
            texts: [...reading.texts, String.fromCharCode(code)],
            cost: reading.cost + cost,
          })
        }
      }
    }
    const baseline = Math.min(...this.runs().map((runs) => runs.reduce((sum, run) => sum + run.cheapest, 0)))
    return { solutions: solutions.sort((a, b) => a.cost - b.cost), baseline, checked: true }
  }

  /** The readings of each field on its own, for a layout without a composite digit. */
  separate(): Group[] {
    return this.runs()[0]!.map((run) => ({
      solutions: run.readings
        .map((reading) => ({ runs: [run], texts: [reading.text], cost: reading.cost }))
        .sort((a, b) => a.cost - b.cost),
      baseline: run.cheapest,
      checked: run.checked,
    }))
  }
}

interface Group {
  solutions: Solution[]
  /** Cost of the likeliest reading when no digit is asked. */
  baseline: number
  /** False where no digit proves anything: such characters stay as they were read. */
  checked: boolean
}

const cheapestOf = (positions: readonly Position[]): number =>
  positions.reduce((sum, { candidates: list }) => sum + Math.min(...list.map(({ cost }) => cost)), 0)

const daysOf = (month: number): number => (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31)

const farPast = 35
const farFuture = 15

function isFarExpiry(text: string, today: Today): boolean {
  const year = Number.parseInt(expiryDate(text.slice(0, 6), today) ?? '', 10)
  return year < today.year - farPast || year > today.year + farFuture
}

/** YYMMDD that may be a date in some century, or has unknown parts. */
function isPossible(text: string): boolean {
  if (text.slice(0, 6).includes('<')) return true
  const month = Number(text.slice(2, 4))
  const day = Number(text.slice(4, 6))
  const year = Number(text.slice(0, 2))
  return month >= 1 && month <= 12 && day <= daysOf(month) && isCalendarDay(2000 + year, month, day)
}

function put(lines: string[], line: number, positions: readonly number[], text: string): void {
  const characters = [...lines[line]!]
  for (const [index, position] of positions.entries()) characters[position] = text[index]!
  lines[line] = characters.join('')
}

/** A cost added to every misreading by how much noise was seen: a reader that erred nowhere else hardly erred here. */
function reluctanceOf(misreadings: number): number {
  return [2.5, 1, 0, -0.4][misreadings] ?? -0.7
}

export interface SearchOptions {
  /** How many signs of a reader that errs were seen elsewhere. */
  misreadings: number
  /** A reading is taken when it is at least this likely. */
  leastConfidence: number
  today: Today
}

interface Solution {
  runs: readonly Run[]
  texts: readonly string[]
  cost: number
}

/** Probability of the first solution against the others and against a faulty document. */
function confidenceOf(solutions: readonly Solution[], isAsRead: boolean, costOfFault: number): number {
  const best = solutions[0]!
  let total = isAsRead ? 0 : Math.exp(best.cost - costOfFault)
  const seen = new Set<string>()
  for (const { runs, texts, cost } of solutions) {
    const key = texts.join() + runs.length
    if (seen.has(key)) continue
    seen.add(key)
    total += Math.exp(best.cost - cost)
  }
  return 1 / total
}

function apply(lines: string[], { runs, texts }: Solution): void {
  for (const [index, text] of texts.entries()) put(lines, runs[index]!.line, runs[index]!.positions, text)
}

/**
 * The cheapest reading of an MRZ that satisfies every check digit at once, and how much likelier it is than the rest.
 *
 * Each field gives, for every residue it may add to the composite digit, its cheapest readings whose own digit holds;
 * the residues are then joined. That is exact: no reading that is cheaper and satisfies all digits is missed. A layout
 * without a composite digit is decided field by field. What is not decided stays as in `fallback`.
 */
export function search(
  lines: readonly string[],
  fallback: readonly string[],
  layout: Layout,
  { misreadings, leastConfidence, today }: SearchOptions,
): SearchResult {
  const work = new Search(lines, layout, reluctanceOf(misreadings), today)
  const solved = [...fallback]
  const groups = layout.composite === null ? work.separate() : [work.joint()]
  let confidence = 1
  let found = true
  for (const { solutions, baseline, checked } of groups) {
    const [best] = solutions
    if (best === undefined) {
      found = false
      confidence = 0
      continue
    }
    const attempt = [...lines]
    apply(attempt, best)
    const isAsRead = attempt.every((line, index) => line === lines[index])
    const fault = layout.composite === null ? costOfFaultyVisa : costOfFaultyDocument
    const certainty = confidenceOf(solutions, isAsRead, baseline + fault + costPerMisreading * misreadings)
    confidence *= certainty
    if (certainty >= leastConfidence && checked) apply(solved, best)
  }
  return { lines: solved, confidence, found }
}
