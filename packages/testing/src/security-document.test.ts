import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

/** Files that a document names between back quotes. */
const named = (text: string) => [
  ...new Set(
    [...text.matchAll(/`((?:packages|services|test-e2e|infra|docs)\/[\w./-]+)`/g)].map(
      (match) => match[1] ?? '',
    ),
  ),
]

test.each(['docs/security.md', 'docs/operations/faults.md', 'SECURITY.md'])(
  '%s names only files that exist',
  (path) => {
    const files = named(read(path))
    expect(files.filter((file) => !existsSync(`${root}${file}`))).toEqual([])
    if (path.startsWith('docs/'))
      expect(files.filter((file) => file.endsWith('.test.ts')).length).toBeGreaterThan(10)
  },
)

test('every row of the requirements is answered once, met rows of substance with a test', () => {
  const rows = read('docs/security.md')
    .split('\n')
    .map((line) =>
      /^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (met|partly|not met|outside) \| (.+) \|$/.exec(line),
    )
    .filter((row) => row !== null)
  expect(rows).toHaveLength(196)
  expect(new Set(rows.map((row) => row[1])).size).toBe(196)
  const met = rows.filter((row) => row[4] === 'met')
  const shown = met.filter((row) => row[5]?.includes('.test.ts`'))
  expect(shown.length / met.length).toBeGreaterThan(0.8)
})
