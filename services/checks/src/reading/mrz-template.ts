import { type Layout, layouts } from '../domain/mrz/layouts.ts'
import { templates as lineTemplates } from '../domain/mrz/templates.ts'

/** The zone's characters, in the order in which lattices and scores number them. */
export const MRZ_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<'

/** A place in the zone: line × 100 + position, both from 0. */
export type Cell = number
export const cellOf = (line: number, position: number): Cell => line * 100 + position
export const lineOf = (cell: Cell) => Math.floor(cell / 100)
export const positionOf = (cell: Cell) => cell % 100

/** What turns a recogniser's probabilities into the likeliest lawful zone of one layout. */
export interface MrzTemplate {
  readonly layout: Layout
  /** For each line and position, the allowed indices into `MRZ_ALPHABET`. */
  readonly lines: readonly (readonly (readonly number[])[])[]
  /** Cells that a check digit covers, and the check digits themselves. */
  readonly covered: ReadonlySet<Cell>
  /**
   * Of these, where letters and digits stand side by side under the composite digit alone: two of a kind misread as the
   * other (O for 0, twice) can cancel out there.
   */
  readonly weak: ReadonlySet<Cell>
  /** Those that are covered, and the state codes, which have to be listed ones: what a correction may touch. */
  readonly correctable: ReadonlySet<Cell>
}

/** Readers take one for the other however sure they are. */
const TWINS = '0O1I'

/**
 * Whether a check digit proves what stands in this cell. Two misread characters pass a digit one time in ten, and in a weak
 * cell twins are misread together.
 */
export const isProven = (template: MrzTemplate, cell: Cell, character: string): boolean =>
  template.covered.has(cell) && !(template.weak.has(cell) && TWINS.includes(character))

/** The name of the field that a character belongs to, `composite` for the digit over all. */
export function fieldAt({ fields, checks }: Layout, line: number, position: number): string {
  for (const [name, field] of Object.entries(fields)) {
    if (field.line === line && position >= field.start && position < field.end) return name
  }
  for (const [name, at] of Object.entries(checks)) {
    if (at === position && fields[name as keyof typeof fields]?.line === line) return name
  }
  return 'composite'
}

function allowedAt(layout: Layout, line: number): number[][] {
  const template = lineTemplates.get(layout)![line]!
  return template.costs.map((costs, position) => {
    const digit = template.classes[position] === 'digit'
    return [...MRZ_ALPHABET].flatMap((character, index) =>
      // A filler may stand for a digit: unknown parts of a birth date, the digit of an empty field.
      costs[character.charCodeAt(0)] === 0 || (digit && character === '<') ? [index] : [],
    )
  })
}

function cellsOf(layout: Layout, withStates: boolean): Set<Cell> {
  const cells = new Set<Cell>()
  const add = (line: number, start: number, end: number) => {
    for (let position = start; position < end; position++) cells.add(cellOf(line, position))
  }
  if (withStates) {
    for (const field of [layout.fields.issuing_state, layout.fields.nationality]) {
      if (field) add(field.line, field.start, field.end)
    }
  }
  for (const [name, position] of Object.entries(layout.checks)) {
    const field = layout.fields[name as keyof typeof layout.checks]
    if (!field) continue
    add(field.line, field.start, field.end)
    add(field.line, position, position + 1)
  }
  if (layout.composite) {
    for (const { line, start, end } of layout.composite.covers) add(line, start, end)
    add(layout.composite.line, layout.composite.position, layout.composite.position + 1)
  }
  return cells
}

/** Cells under the composite digit and no other that take letters and digits alike. */
function weakCells(layout: Layout, allowed: readonly (readonly number[])[][]): Set<Cell> {
  const cells = new Set<Cell>()
  for (const { line, start, end } of layout.composite?.covers ?? []) {
    for (let position = start; position < end; position++) {
      if (allowed[line]![position]!.length === MRZ_ALPHABET.length) cells.add(cellOf(line, position))
    }
  }
  for (const cell of cellsOf({ ...layout, composite: null }, false)) cells.delete(cell)
  return cells
}

export const mrzTemplates: readonly MrzTemplate[] = layouts.map((layout) => {
  const lines = Array.from({ length: layout.lineCount }, (_, line) => allowedAt(layout, line))
  return {
    layout,
    lines,
    covered: cellsOf(layout, false),
    weak: weakCells(layout, lines),
    correctable: cellsOf(layout, true),
  }
})
