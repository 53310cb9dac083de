import { type CharacterClass, classCosts } from './confusions.ts'
import { type Layout, layouts } from './layouts.ts'

/** The permitted characters of each position of one line. */
export interface LineTemplate {
  layout: Layout
  line: number
  classes: readonly CharacterClass[]
  costs: readonly Float64Array[]
  /** Position of the state code on this line; -1 when it is on another. */
  statePosition: number
  /** Position of the name field; -1 when it is on another line. */
  nameStart: number
}

function classesOf(layout: Layout, line: number): CharacterClass[] {
  const classes: CharacterClass[] = new Array(layout.lineLength).fill('any')
  const set = (start: number, end: number, value: CharacterClass): void => {
    classes.fill(value, start, end)
  }
  const { fields } = layout
  for (const field of [
    fields.issuing_state,
    fields.nationality,
    fields.name,
    fields.surname,
    fields.given_names,
  ]) {
    if (field?.line === line) set(field.start, field.end, 'letter')
  }
  if (fields.document_code?.line === line) {
    set(0, 1, layout.format === 'mrv_a' || layout.format === 'mrv_b' ? 'visa' : 'kind')
    set(1, 2, 'letter')
  }
  if (fields.sex?.line === line) set(fields.sex.start, fields.sex.end, 'sex')
  for (const name of ['birth_date', 'expiry_date'] as const) {
    const field = fields[name]
    if (field?.line === line) set(field.start, field.end + 1, 'digit')
  }
  const number = fields.document_number
  if (number?.line === line) {
    const check = layout.checks.document_number!
    set(check, check + 1, layout.longNumbers ? 'check' : 'digit')
    // Year, month, department (letters for a consulate), five digits.
    if (layout.format === 'fra_id') {
      set(number.start, number.start + 4, 'digit')
      set(number.start + 7, number.end, 'digit')
    }
  }
  if (fields.optional_data?.line === line && layout.checks.optional_data !== undefined) {
    set(layout.checks.optional_data, layout.checks.optional_data + 1, 'digit')
  }
  if (layout.composite?.line === line) set(layout.composite.position, layout.composite.position + 1, 'digit')
  return classes
}

function templateOf(layout: Layout, line: number): LineTemplate {
  const classes = classesOf(layout, line)
  const state = [layout.fields.issuing_state, layout.fields.nationality].find((field) => field?.line === line)
  const name = [layout.fields.name, layout.fields.surname].find((field) => field?.line === line)
  return {
    layout,
    line,
    classes,
    costs: classes.map((characterClass) => classCosts[characterClass]),
    statePosition: state?.start ?? -1,
    nameStart: name?.start ?? -1,
  }
}

/** One template per line, by layout. */
export const templates: ReadonlyMap<Layout, readonly LineTemplate[]> = new Map(
  layouts.map((layout) => [
    layout,
    Array.from({ length: layout.lineCount }, (_, line) => templateOf(layout, line)),
  ]),
)
