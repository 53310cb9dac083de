/** The output of a command: a table for people, JSON for scripts. */
export type Output = {
  json: boolean
  /** To standard output: the result. */
  print(line: string): void
  /** To standard error: progress and hints. */
  note(line: string): void
}

/** Prints records as aligned columns, or as JSON lines if requested. */
export function showRows(
  output: Output,
  rows: readonly Record<string, unknown>[],
  columns: readonly string[],
): void {
  if (output.json) {
    for (const row of rows) output.print(JSON.stringify(row))
    return
  }
  if (rows.length === 0) {
    output.note('none')
    return
  }
  const cells = rows.map((row) => columns.map((column) => textOf(row[column])))
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((cell) => cell[index]?.length ?? 0)),
  )
  const line = (values: readonly string[]) =>
    values
      .map((value, index) => value.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  output.print(line(columns))
  for (const cell of cells) output.print(line(cell))
}

/** Prints one record, one field per line. */
export function showRecord(
  output: Output,
  record: Record<string, unknown>,
  fields?: readonly string[],
): void {
  if (output.json) {
    output.print(JSON.stringify(record))
    return
  }
  const names = fields ?? Object.keys(record)
  const width = Math.max(...names.map((name) => name.length))
  for (const name of names) output.print(`${name.padEnd(width)}  ${textOf(record[name])}`)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value !== 'object') return oneLine(String(value))
  return oneLine(JSON.stringify(value))
}

/** Removes control characters, so that external text cannot move the cursor or colour the terminal. */
const oneLine = (text: string): string =>
  [...text].map((character) => (/\p{Cc}/u.test(character) ? ' ' : character)).join('')
