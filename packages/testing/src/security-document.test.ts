import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

/** Files that a document names in backticks. */
const named = (text: string) => [
  ...new Set(
    [...text.matchAll(/`((?:packages|services|test-e2e|infra|docs)\/[\w./-]+)`/g)].map(
      (match) => match[1] ?? '',
    ),
  ),
]

test.each(['docs/security.md', 'docs/operations/faults.md', 'SECURITY.md'])(
  '%s names only existing files',
  (path) => {
    const files = named(read(path))
    expect(files.filter((file) => !existsSync(`${root}${file}`))).toEqual([])
    if (path.startsWith('docs/'))
      expect(files.filter((file) => file.endsWith('.test.ts')).length).toBeGreaterThan(10)
  },
)

/** The cells of every table row of `text` that has `count` cells, without headers and separators. */
const tableRows = (text: string, count: number) =>
  text
    .split('\n')
    .filter((line) => /^\| .+ \|$/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter((cells) => cells.length === count)

const testsIn = (text: string) => named(text).filter((file) => /\.test\.ts$/.test(file))
const isTest = (file: string) => existsSync(`${root}${file}`) && /\bexpect\(|\.suite\.ts'/.test(read(file))

const document = read('docs/security.md')
const rows = tableRows(document, 5).flatMap(([row, level, asked, state, text]) =>
  /^\d+\.\d+\.\d+$/.test(row ?? '') ? [{ row, level, asked, state: state ?? '', text: text ?? '' }] : [],
)

test('each of the 196 requirements has one row with a level and a state', () => {
  expect(rows).toHaveLength(196)
  expect(new Set(rows.map(({ row }) => row)).size).toBe(196)
  for (const { level, asked, state } of rows) {
    expect(level).toMatch(/^[12]$/)
    expect(asked).not.toBe('')
    expect(['met', 'partly', 'not met', 'outside']).toContain(state)
  }
})

test('every met row names a test, and every partly met or unmet row gives the reason', () => {
  const met = rows.filter(({ state }) => state === 'met')
  expect(met.length).toBeGreaterThan(150)
  const untested = met.filter(({ text }) => !testsIn(text).some(isTest))
  expect(untested.map(({ row, text }) => `${row} ${text}`)).toEqual([])
  const unexplained = rows.filter(({ state, text }) => /partly|not met/.test(state) && text.length < 30)
  expect(unexplained.map(({ row, text }) => `${row} ${text}`)).toEqual([])
})

test('every attack class names what was tried, what failed and a test', () => {
  const attacks = tableRows(document.slice(document.indexOf('\n## Attacks tried')), 4).filter(
    ([name]) => name !== 'attack class',
  )
  expect(attacks.length).toBeGreaterThan(10)
  for (const [name, tried, failures, tests] of attacks) {
    expect(`${name}: ${tried}`).toMatch(/\w{3}/)
    expect(failures).not.toBe('')
    expect([name, testsIn(tests ?? '').some(isTest)]).toEqual([name, true])
  }
})
