import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { busTablesSql, quoteIdentifier, tableName } from './tables.ts'

test('the README shows the very tables that the code expects', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(busTablesSql)
})

test('names are quoted so that no name ends its quotation', () => {
  expect(quoteIdentifier('a"b')).toBe('"a""b"')
  expect(tableName('session', 'outbox')).toBe('"session".outbox')
  expect(tableName(undefined, 'outbox')).toBe('outbox')
})
