import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openDatabase, type PooledDatabase, silentLogger } from '@kyc/runtime'
import { createTestDatabase, type TestDatabase } from '@kyc/testing'
import { sanctionsScreeningSchema } from '../src/service.ts'

/** Columns as `name type [not null] [default ...]` and indexes as `name (columns) [where ...]`, by table. */
type Tables = Record<string, { columns: string[]; indexes: string[] }>

const sqlTypes: Readonly<Record<string, string>> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Boolean: 'boolean',
  Bytes: 'bytea',
  Json: 'jsonb',
}
const nativeTypes: Readonly<Record<string, string>> = {
  '@db.Uuid': 'uuid',
  '@db.Json': 'json',
  '@db.Timestamptz(6)': 'timestamp with time zone',
}
const defaults: Readonly<Record<string, string>> = {
  'autoincrement()': 'identity',
  'now()': 'now()',
  '"[]"': "'[]'::jsonb",
  '[]': "'{}'::text[]",
}

let testDatabase: TestDatabase
let database: PooledDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url, ...sanctionsScreeningSchema, logger: silentLogger })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

test('schema.prisma has a model for every migrated table, with the same columns, defaults and indexes', async () => {
  const text = await readFile(new URL('../prisma/schema.prisma', import.meta.url), 'utf8')
  const declared = tablesOfSchema(text)
  expect(Object.keys(declared).length).toBeGreaterThanOrEqual(8)
  expect(declared).toEqual(await tablesOfDatabase())
})

function tablesOfSchema(text: string): Tables {
  return Object.fromEntries(
    Array.from(text.matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm), ([, body = '']) => {
      const lines = body.split('\n').map((line) => line.trim())
      const table = lines.join('\n').match(/@@map\("(\w+)"\)/)?.[1] ?? ''
      const fields = lines.filter((line) => /^[a-z]/.test(line))
      const columnOf = new Map(fields.map((line) => [line.split(/\s/)[0] ?? '', columnName(line)]))
      const indexes = lines.flatMap((line) => indexOf(line, table, columnOf))
      return [table, { columns: fields.map(columnOfField).sort(), indexes: indexes.sort() }]
    }),
  )
}

function columnName(field: string): string {
  return field.match(/ @map\("(\w+)"\)/)?.[1] ?? field.split(/\s/)[0] ?? ''
}

function columnOfField(field: string): string {
  const [, type = '', suffix = ''] = field.match(/^\w+\s+(\w+)(\?|\[\])?/) ?? []
  const native = Object.keys(nativeTypes).find((name) => field.includes(name))
  const sqlType = (native === undefined ? sqlTypes[type] : nativeTypes[native]) ?? type
  const value = field.match(/@default\(((?:[^()]|\(\))*)\)/)?.[1]
  return [
    columnName(field),
    suffix === '[]' ? `${sqlType}[]` : sqlType,
    suffix === '?' ? '' : ' not null',
    value === undefined ? '' : ` default ${defaults[value] ?? value}`,
  ]
    .join(' ')
    .replace(/ +/g, ' ')
    .trim()
}

function indexOf(line: string, table: string, columnOf: ReadonlyMap<string, string>): string[] {
  if (/ @id\b/.test(line)) return [`${table}_pkey (${columnName(line)})`]
  if (/ @unique\b/.test(line)) return [`${table}_${columnName(line)}_key (${columnName(line)})`]
  const [, kind, list = ''] = line.match(/^@@(id|index)\(\[(.*?)\]/) ?? []
  if (kind === undefined) return []
  const columns = list.split(', ').map((part) => {
    const [, name = '', sort] = part.match(/^(\w+)(?:\(sort: (\w+)\))?$/) ?? []
    return `${columnOf.get(name)}${sort === 'Desc' ? ' DESC' : ''}`
  })
  const name = kind === 'id' ? `${table}_pkey` : line.match(/map: "(\w+)"/)?.[1]
  const where = line.match(/where: raw\("(.*)"\)\)/)?.[1]
  return [`${name} (${columns.join(', ')})${where === undefined ? '' : ` where ${where}`}`]
}

async function tablesOfDatabase(): Promise<Tables> {
  const { schema } = sanctionsScreeningSchema
  const { rows: columns } = await database.query<{ table: string; column: string }>(
    `SELECT c.relname AS table, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
       CASE WHEN a.attnotnull THEN 'not null' END,
       'default ' || CASE WHEN a.attidentity <> '' THEN 'identity' ELSE pg_get_expr(d.adbin, d.adrelid) END) AS column
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relkind = 'r' AND c.relnamespace = $1::regnamespace
       -- Prisma's own record of applied migrations has no model.
       AND c.relname <> '_prisma_migrations'`,
    [schema],
  )
  const { rows: indexes } = await database.query<{ table: string; index: string }>(
    `SELECT tablename AS table, indexname || regexp_replace(
       regexp_replace(indexdef, '^.* USING btree', ''), ' WHERE ', ' where ') AS index
     FROM pg_indexes WHERE schemaname = $1`,
    [schema],
  )
  const tables: Tables = {}
  for (const { table, column } of columns) {
    tables[table] ??= { columns: [], indexes: [] }
    tables[table].columns.push(column)
  }
  for (const { table, index } of indexes) tables[table]?.indexes.push(index)
  for (const table of Object.values(tables)) {
    table.columns.sort()
    table.indexes.sort()
  }
  return tables
}
