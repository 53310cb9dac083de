import { type Layout, layouts } from '../domain/mrz/layouts.ts'
import { templates as lineTemplates } from '../domain/mrz/templates.ts'

/** The MRZ characters, in the order in which lattices and scores number them. */
export const MRZ_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<'

/** A position in the MRZ: line × 100 + position, both from 0. */
export type Cell = number
export const cellOf = (line: number, position: number): Cell => line * 100 + position
export const lineOf = (cell: Cell) => Math.floor(cell / 100)
export const positionOf = (cell: Cell) => cell % 100

/** What converts a recogniser's probabilities to the most likely permitted MRZ of one layout. */
export interface MrzTemplate {
  readonly layout: Layout
  /** For each line and position, the allowed indices into `MRZ_ALPHABET`. */
  readonly lines: readonly (readonly (readonly number[])[])[]
  /** Cells that a check digit covers, and the check digits themselves. */
  readonly covered: ReadonlySet<Cell>
  /**
   * The covered cells where letters and digits are mixed and only the composite digit applies: two misreadings of the
   * same confusable pair (O for 0, twice) can cancel out there.
   */
  readonly weak: ReadonlySet<Cell>
  /** The cells that a correction may change: those that are covered, and the state codes, which must be listed. */
  readonly correctable: ReadonlySet<Cell>
}

/** Readers confuse these characters even at high confidence. */
const TWINS = '0O1I'

/**
 * Whether a check digit confirms the character in this cell. Two misread characters pass a check digit one time in ten,
 * and in a weak cell confusable characters are misread together.
 */
export const isProven = (template: MrzTemplate, cell: Cell, character: string): boolean =>
  template.covered.has(cell) && !(template.weak.has(cell) && TWINS.includes(character))

/** The name of the field that a character belongs to; `composite` for the composite check digit. */
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
      // A filler may replace a digit: unknown parts of a birth date, the check digit of an empty field.
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

/** Cells that allow letters and digits and are covered by the composite digit only. */
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
