import type { DoubtfulCharacter, MrzReading } from '../domain/document/side-reading.ts'
import { todayOf } from '../domain/mrz/dates.ts'
import { readLines } from '../domain/mrz/read-lines.ts'
import { aligned } from './align-readings.ts'
import type { Quad } from './geometry.ts'
import type { MrzSolution } from './mrz-solver.ts'
import { cellOf, fieldAt, isProven } from './mrz-template.ts'
import { cutLine } from './page-text.ts'
import type { Raster } from './raster.ts'
import type { TesseractLineReader } from './tesseract-line-reader.ts'

export interface ZoneReading extends MrzReading {
  /** Positions of its lines in the image. */
  readonly quads: readonly Quad[]
}

/**
 * Corrections that cost more, or that have a rival this close, are not made; the check digits are then reported as
 * failed.
 */
const MAX_CORRECTION_COST = 7
const MIN_CORRECTION_MARGIN = 2.5
/** Minimum certainty of one reader alone about a character that no check digit confirms. */
const SURE_ALONE = 0.9
/** A line without a name is not read a second time when all its unconfirmed characters are this certain. */
const SURE_WITHOUT_SECOND = 0.98

/**
 * Turns the best solution into a reading: reverts corrections that are not clearly unique, and has the second reader
 * read the lines with characters that no check digit confirms.
 */
export async function concludeZone(
  image: Raster,
  quads: readonly Quad[],
  solution: MrzSolution,
  second: TesseractLineReader | null,
  today: Date,
): Promise<ZoneReading> {
  const trusted =
    solution.changes.length === 0 ||
    (solution.cost <= MAX_CORRECTION_COST && solution.margin >= MIN_CORRECTION_MARGIN)
  const lines = trusted ? solution.lines : withoutChanges(solution)
  const { layout } = solution.template
  const document = readLines(
    [...lines],
    layout,
    todayOf(today),
    trusted
      ? solution.changes.map((change) => ({
          ...change,
          field: fieldAt(layout, change.line, change.position),
        }))
      : [],
  )
  const open = openCells(solution)
  const byLine = new Map<number, string | null>()
  if (second) {
    const unsure = open.filter(
      ({ line, position }) =>
        isName(fieldAt(layout, line, position)) ||
        solution.template.weak.has(cellOf(line, position)) ||
        solution.confidence[line]![position]! < SURE_WITHOUT_SECOND,
    )
    for (const line of new Set(unsure.map((cell) => cell.line))) {
      byLine.set(line, aligned(lines[line]!, await second.read(cutLine(image, quads[line]!))))
    }
  }
  const doubtful = open.flatMap(({ line, position }): DoubtfulCharacter[] => {
    const read = lines[line]![position]!
    const other = byLine.get(line)?.[position] ?? null
    const sure = solution.confidence[line]![position]! >= SURE_ALONE
    if (other === null ? sure : other === read) return []
    return [{ line, position, field: fieldAt(layout, line, position), read, second: other }]
  })
  return {
    document,
    holds: solution.holds && trusted,
    doubtful,
    confidence: Math.min(1, ...open.map(({ line, position }) => solution.confidence[line]![position]!)),
    readers: second ? 2 : 1,
    quads,
  }
}

const isName = (field: string) => field === 'name' || field === 'surname' || field === 'given_names'

function withoutChanges(solution: MrzSolution): string[] {
  const lines = solution.lines.map((line) => [...line])
  for (const { line, position, from } of solution.changes) lines[line]![position] = from
  return lines.map((line) => line.join(''))
}

/**
 * The unconfirmed cells: those without a check digit (including state codes, because a match in the list of states
 * proves little), and those with one where the first reader is uncertain of the character.
 */
function openCells({ template, lines, confidence }: MrzSolution): { line: number; position: number }[] {
  return lines.flatMap((line, l) =>
    [...line].flatMap((character, position) =>
      isProven(template, cellOf(l, position), character) && confidence[l]![position]! >= SURE_ALONE
        ? []
        : [{ line: l, position }],
    ),
  )
}
