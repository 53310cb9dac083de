import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@kyc/testing'
import pg from 'pg'
import { silentLogger } from '../logger.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'kyc-migrations-'))
  await addMigration('0001_first', 'CREATE TABLE first (id int)')
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'migration.sql'), sql)
}
const run = () => migrate({ url: database.url, schema: 'example', folder, logger: silentLogger })

test('several concurrent runners apply each migration once', async () => {
  await Promise.all(Array.from({ length: 5 }, run))
  const opened = await openDatabase({ url: database.url, schema: 'example', logger: silentLogger })
  const { rows } = await opened.query('SELECT migration_name, applied_steps_count FROM _prisma_migrations')
  expect(rows).toEqual([{ migration_name: '0001_first', applied_steps_count: 1 }])
  await opened.close()
})

test('a failed migration leaves no changes and can be fixed', async () => {
  await addMigration('0002_second', 'CREATE TABLE second (id int); SELECT 1/0')
  await expect(run()).rejects.toThrow('division by zero')
  await addMigration('0002_second', 'CREATE TABLE second (id int)')
  await run()
})

test('a migration that was changed after it was applied prevents startup', async () => {
  await addMigration('0001_first', 'CREATE TABLE first (id bigint)')
  await expect(run()).rejects.toThrow('was changed after it was applied')
})

test('a process that may not migrate rejects an outdated schema and names the missing migration', async () => {
  const open = () =>
    openDatabase({
      url: database.url,
      schema: 'behind',
      migrations: folder,
      migrate: false,
      logger: silentLogger,
    })
  await expect(open()).rejects.toThrow('behind/0001_first is not applied')
  await migrate({ url: database.url, schema: 'behind', folder, logger: silentLogger })
  await (await open()).close()
})

test('a role that owns only its schema can migrate it', async () => {
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(
    `DROP ROLE IF EXISTS schema_owner; CREATE ROLE schema_owner LOGIN PASSWORD 'only-for-this-test'`,
  )
  await admin.query('CREATE SCHEMA owned AUTHORIZATION schema_owner')
  const url = new URL(database.url)
  url.username = 'schema_owner'
  url.password = 'only-for-this-test'
  await migrate({ url: url.toString(), schema: 'owned', folder, logger: silentLogger })
  await expect(
    migrate({ url: url.toString(), schema: 'foreign_schema', folder, logger: silentLogger }),
  ).rejects.toThrow('permission denied')
  await admin.query('DROP OWNED BY schema_owner; DROP ROLE schema_owner')
  await admin.end()
})

test('a transaction that throws leaves nothing; a listener is notified of commits', async () => {
  const opened = await openDatabase({ url: database.url, schema: 'example', logger: silentLogger })
  const heard = new Promise<string>((resolve) => void opened.listen('example_channel', resolve))
  await expect(
    opened.transaction(async (tx) => {
      await tx.query('INSERT INTO second VALUES (1)')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect((await opened.query('SELECT * FROM second')).rowCount).toBe(0)
  let told = false
  while (!told) {
    await opened.query("SELECT pg_notify('example_channel', 'told')")
    told = (await Promise.race([heard, opened.query('SELECT 1').then(() => '')])) === 'told'
  }
  expect(await heard).toBe('told')
  await opened.close()
})
