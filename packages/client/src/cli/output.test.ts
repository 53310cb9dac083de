import { expect, test } from '@jest/globals'
import { showRecord, showRows } from './output.ts'

function captured(json: boolean) {
  const lines: string[] = []
  const notes: string[] = []
  return {
    lines,
    notes,
    output: { json, print: (l: string) => lines.push(l), note: (l: string) => notes.push(l) },
  }
}

const rows = [
  { id: 'a', name: 'Anna', tags: ['x'] },
  { id: 'long-one', name: null, tags: [] },
]

test('prints aligned columns for people, and one JSON value per line for scripts', () => {
  const table = captured(false)
  showRows(table.output, rows, ['id', 'name', 'tags'])
  expect(table.lines).toEqual(['id        name  tags', 'a         Anna  ["x"]', 'long-one  -     []'])
  const lines = captured(true)
  showRows(lines.output, rows, ['id'])
  expect(lines.lines.map((line) => JSON.parse(line))).toEqual(rows)
})

test('reports an empty table on standard error, and not in the output', () => {
  const { output, lines, notes } = captured(false)
  showRows(output, [], ['id'])
  expect([lines, notes]).toEqual([[], ['none']])
})

test('text from third parties cannot move the cursor or colour the terminal', () => {
  const { output, lines } = captured(false)
  showRecord(output, { vendor_data: '\u001b[31mred\u001b[0m\r\nnext\u009b' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toMatch(/\p{Cc}/u)
})
