import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { busTablesSql, quoteIdentifier, tableName } from './tables.ts'

test('the README contains the SQL of the tables that the code expects', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(busTablesSql)
})

test('a quoted name cannot end its own quotation', () => {
  expect(quoteIdentifier('a"b')).toBe('"a""b"')
  expect(tableName('session', 'outbox')).toBe('"session".outbox')
  expect(tableName(undefined, 'outbox')).toBe('outbox')
})
