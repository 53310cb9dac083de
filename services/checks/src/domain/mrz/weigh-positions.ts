import { weights } from './check-digit.ts'
import { type Candidate, type CharacterClass, candidates, digitLookalikes } from './confusions.ts'
import { allows } from './issuer-formats.ts'
import type { Form, IssuerRules } from './issuer-rules.ts'
import type { Layout, Span } from './layouts.ts'
import type { Position } from './reading-table.ts'
import { type LineTemplate, templates } from './templates.ts'

/**
 * Added to the cost of every misreading, by the number seen: a reader without other errors is unlikely to have made one
 * here.
 */
const reluctances = [2.5, 1, 0]
/**
 * How much rarer than a digit a letter is as the first character of a number or of optional data, and after letters.
 */
const costOfLetterAtStart = 1.5
const costOfLetterAfterLetters = 2
/** A letter after one that may be a digit. */
const costOfLetterAfterDoubt = 4.5
/**
 * A letter inside, by the number of letters there that are not confusable with digits, because most issuers use none.
 */
const costsOfLetterInside = { number: [8.5, 1.5, 1.5, 0], data: [7, 1.5, 1.5, 0] } as const
/** A letter as the last character, where some issuers use a check letter of their own. */
const costOfLetterAtEnd = 4
/** Issuers that use letters omit these because they resemble digits. */
const costOfOmittedLetter = 3
const omittedLetters = [...'IOQ'].map((letter) => letter.charCodeAt(0))
/** A single filler among other characters is hardly ever confused with a letter; one next to fillers is. */
const costOfLoneFiller = 8
const filler = 60

const isLetter = (code: number): boolean => code >= 65 && code <= 90

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

/** Candidate lists, cached by everything they depend on: there are few, and each is needed often. */
const lists = new Map<string, readonly Candidate[]>()

function listed(key: string, make: () => readonly Candidate[]): readonly Candidate[] {
  const known = lists.get(key)
  if (known !== undefined) return known
  const list = make()
  lists.set(key, list)
  return list
}

/**
 * Counts letters that resemble digits inside a number whose other characters are digits. One may be intended by the
 * issuer; each further one is a sign of reader errors.
 */
export function suspiciousLetters(number: string): number {
  let suspicious = 0
  for (let at = 1; at < number.length; at++) {
    const code = number.charCodeAt(at)
    if (!isLetter(code)) continue
    if (!digitLookalikes.has(code)) return 0
    suspicious++
  }
  return Math.max(0, suspicious - 1)
}

/** Gives the possible printed characters and their costs for each position of lines that have the layout's length. */
export class PositionWeigher {
  private readonly lines: readonly string[]
  private readonly templates: readonly LineTemplate[]
  private readonly composites: readonly (readonly number[])[]
  private readonly reluctance: number
  private readonly forms: readonly Form[]
  private readonly number: Span

  constructor(lines: readonly string[], layout: Layout, misreadings: number, issuer: IssuerRules) {
    this.forms = [
      ...issuer.number,
      ...[issuer.longNumber, issuer.person].flatMap((proven) => proven?.form ?? []),
    ]
    this.number = layout.fields.document_number!
    this.lines = lines
    this.templates = templates.get(layout)!
    this.composites = compositeWeights.get(layout)!
    this.reluctance = reluctances[Math.min(misreadings, reluctances.length - 1)]!
  }

  candidatesOf(line: number, position: number, characterClass: CharacterClass): readonly Candidate[] {
    const read = this.lines[line]!.charCodeAt(position)
    return listed(`${characterClass}${read},${this.reluctance}`, () => {
      const options = candidates[characterClass][read]!
      if (options.length === 0) return [{ code: read, cost: 0 }]
      const list = options.map(({ code, cost }) => ({ code, cost: cost > 0 ? cost + this.reluctance : 0 }))
      // The end of the name was decided before, so no letter of it becomes a filler here.
      return characterClass === 'letter' && read !== filler
        ? list.filter(({ code }) => code !== filler)
        : list
    })
  }

  /** Cost of the misreading of `code` as the character read, minus what its class or issuer requires anyway. */
  excess(line: number, position: number, code: number): number {
    const options = this.candidatesOf(line, position, this.templates[line]!.classes[position]!)
    const option = options.find((candidate) => candidate.code === code)
    if (option === undefined) return 0
    const place = this.forms
      .filter((form) => form.line === line)
      .map(({ places }) => places.get(position))
      .find((known) => known !== undefined && allows(known, code))
    const demanded = options.find((candidate) => place === undefined || allows(place, candidate.code))
    return option.cost - demanded!.cost
  }

  /** One position with its weight in its own check digit. */
  position(line: number, position: number, own: number): Position {
    return {
      candidates: this.candidatesOf(line, position, this.templates[line]!.classes[position]!),
      own,
      composite: this.composites[line]![position]!,
    }
  }

  /** A check digit; a filler is allowed only when the whole field is fillers. */
  checkDigit(field: Span, position: number): Position {
    const check = this.position(field.line, position, 0)
    for (let at = field.start; at < field.end; at++) {
      if (this.lines[field.line]!.charCodeAt(at) === filler) continue
      return { ...check, candidates: check.candidates.filter(({ code }) => code !== filler) }
    }
    return check
  }

  /**
   * The positions of a field, weighted for its own check digit from `phase` on when `own` is set. With a `form`, only
   * the issuer's characters are allowed; they are equally likely at positions of digits or letters alone.
   */
  field(span: Span, own: boolean, form: Form | null, phase = 0): Position[] {
    const { line, start, end } = span
    const text = this.lines[line]!
    const { classes } = this.templates[line]!
    const inside = this.costInside(span)
    let leading = true
    let doubt = false
    return Array.from({ length: end - start }, (_, index) => {
      const at = start + index
      const position = this.position(line, at, own ? weights[(phase + index) % 3]! : 0)
      const last = at === end - 1 || text.charCodeAt(at + 1) === filler
      const place = index === 0 ? 1 : leading ? (doubt ? 4 : 2) : last ? 3 : 0
      leading &&= isLetter(text.charCodeAt(at))
      doubt ||= digitLookalikes.has(text.charCodeAt(at))
      if (classes[at] !== 'any') return position
      const known = form?.places.get(at)
      const besideFiller =
        text.charCodeAt(at + 1) === filler || text.charCodeAt(at - 1) === filler || at === end - 1
      const key = `any${text.charCodeAt(at)},${this.reluctance},${inside},${place},${besideFiller},${known?.digits}${known?.letters}`
      return {
        ...position,
        candidates: listed(key, () => {
          if (known === undefined) return weigh(position.candidates, inside, place, besideFiller, true)
          const list = position.candidates.filter(({ code }) => allows(known, code))
          const either = known.digits && known.letters.length > 0
          return either ? weigh(list, inside, place, besideFiller, false) : list
        }),
      }
    })
  }

  /** Cost of a letter inside this field, by the number of other letters there. */
  private costInside({ line, start, end }: Span): number {
    const text = this.lines[line]!
    let letters = 0
    for (let at = start + 2; at < end; at++) {
      const code = text.charCodeAt(at)
      if (isLetter(code) && !digitLookalikes.has(code)) letters++
    }
    const costs = start === this.number.start && line === this.number.line ? 'number' : 'data'
    return costsOfLetterInside[costs][Math.min(letters, 3) as 0 | 1 | 2 | 3]
  }
}

/** The cost of a letter by its position: inside, first, after letters, last, after a possible digit. */
const limits = [
  undefined,
  costOfLetterAtStart,
  costOfLetterAfterLetters,
  costOfLetterAtEnd,
  costOfLetterAfterDoubt,
]

/** Cost of each candidate by how common such characters are at that position of numbers and optional data. */
function weigh(
  list: readonly Candidate[],
  inside: number,
  place: number,
  besideFiller: boolean,
  omits: boolean,
): readonly Candidate[] {
  const limit = limits[place] ?? inside
  return list.map(({ code, cost }) => {
    if (code === filler) return { code, cost: cost > 0 && !besideFiller ? cost + costOfLoneFiller : cost }
    if (!isLetter(code)) return { code, cost }
    const rare = omits && omittedLetters.includes(code) ? costOfOmittedLetter : 0
    return { code, cost: cost + rare + Math.min(inside, limit) }
  })
}
