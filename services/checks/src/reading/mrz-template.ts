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
  /** Those, and the state codes, which have to be listed ones: what a correction may touch. */
  readonly correctable: ReadonlySet<Cell>
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

export const mrzTemplates: readonly MrzTemplate[] = layouts.map((layout) => ({
  layout,
  lines: Array.from({ length: layout.lineCount }, (_, line) => allowedAt(layout, line)),
  covered: cellsOf(layout, false),
  correctable: cellsOf(layout, true),
}))
