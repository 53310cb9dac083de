import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { createTestDatabase, type TestDatabase } from '@kyc/testing'
import pg from 'pg'
import { createContext, readConfig, runCommand } from '../src/index.ts'

let database: TestDatabase
let folder: string
let environment: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'kyc-ops-'))
  environment = {
    DATABASE_URL: database.url,
    VAULT_STORE: `folder:${join(folder, 'vault')}`,
    VAULT_KEY: randomBytes(32).toString('base64'),
  }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** One command line; what it said, and its exit code. */
async function ops(...argv: string[]): Promise<{ code: number; said: string[] }> {
  const said: string[] = []
  const context = createContext(readConfig(environment), {
    logger: silentLogger,
    say: (line) => said.push(line),
  })
  const code = await runCommand(argv, context)
  return { code, said }
}

async function sql<Row extends object = Record<string, unknown>>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

test('a command that is not one, or is called wrongly, says how it wants to be called', async () => {
  expect((await ops('help')).code).toBe(0)
  const unknown = await ops('no-such-command')
  expect(unknown.code).toBe(2)
  expect(unknown.said.join('\n')).toContain('dead-letters list <service>.<event>')
  expect(await ops('restore', folder)).toMatchObject({ code: 2 })
  expect(await ops('migrate', 'nobody')).toMatchObject({ code: 2 })
})

test('what needs a running service says what is missing', async () => {
  await expect(ops('lists', 'status')).rejects.toThrow('RABBITMQ_URL')
})

describe('with every schema migrated', () => {
  beforeAll(async () => {
    const { code, said } = await ops('migrate')
    expect([code, said.length]).toEqual([0, 8])
  }, 120_000)

  test('migrating again finds nothing to do', async () => {
    expect((await ops('migrate', 'session')).said).toEqual(['session: up to date'])
  })

  test('keys are rotated under a new key-encryption key, and the old one can then be dropped', async () => {
    expect((await ops('rotate-keys')).code).toBe(0)
    const old = environment
    const VAULT_KEY = randomBytes(32).toString('base64')
    environment = { ...old, VAULT_KEY, VAULT_KEY_ID: 'k2', VAULT_PREVIOUS_KEYS: `k1=${old.VAULT_KEY}` }
    expect((await ops('rotate-keys')).code).toBe(0)
    environment = { ...old, VAULT_KEY, VAULT_KEY_ID: 'k2' }
    expect((await ops('rotate-keys')).code).toBe(0)
    // What was there before does not open it any more.
    environment = old
    await expect(ops('rotate-keys')).rejects.toThrow()
    environment = { ...old, VAULT_KEY, VAULT_KEY_ID: 'k2' }
  })

  test('no decision yet: none differs', async () => {
    expect(await ops('replay-decisions')).toEqual({
      code: 0,
      said: ['0 decisions, 0 receipts, 0 files: 0 differences'],
    })
  })

  describe('a backup', () => {
    const marker = `INSERT INTO flow.outbox (id, name, version, payload, occurred_at, available_at)
      VALUES (gen_random_uuid(), 'example.happened', 1, '{"text":"Łódź \\\\ \\" tab\\there"}', now(), now())`
    const state = async () => ({
      events: await sql('SELECT id, name, payload::text, occurred_at, seq FROM flow.outbox ORDER BY seq'),
      next: (await sql('SELECT last_value + is_called::int AS next FROM flow.outbox_seq_seq'))[0],
    })

    test('put back, it brings every row and sequence as they were, and nothing of later', async () => {
      await sql(marker)
      const before = await state()
      const target = join(folder, 'first')
      expect((await ops('backup', target)).code).toBe(0)
      await sql(marker)
      await sql('DELETE FROM flow.outbox WHERE seq = 1')
      expect((await ops('restore', target, '--replace')).code).toBe(0)
      expect(await state()).toEqual(before)
    }, 120_000)

    test('is readable by nobody else, and holds every table of every service', async () => {
      const target = join(folder, 'second')
      await ops('backup', target)
      for (const name of await readdir(target, { recursive: true })) {
        expect([name, (await stat(join(target, name))).mode & 0o077]).toEqual([name, 0])
      }
      const { schemas } = JSON.parse(await readFile(join(target, 'manifest.json'), 'utf8'))
      const tables = await sql<{ schemaname: string; tablename: string }>(
        `SELECT schemaname, tablename FROM pg_tables
          WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'public') AND tablename <> '_prisma_migrations'`,
      )
      const written = schemas.flatMap(
        ({ schema, tables: kept }: { schema: string; tables: { name: string }[] }) =>
          kept.map(({ name }) => `${schema}.${name}`),
      )
      expect(written.sort()).toEqual(
        tables.map(({ schemaname, tablename }) => `${schemaname}.${tablename}`).sort(),
      )
      await expect(ops('backup', target)).rejects.toThrow('EEXIST')
    }, 120_000)

    test('that was damaged is refused before anything is written', async () => {
      const target = join(folder, 'third')
      await ops('backup', target)
      const before = await state()
      const [file] = await readdir(join(target, 'flow'))
      const path = join(target, 'flow', file as string)
      const bytes = await readFile(path)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      await writeFile(path, bytes)
      await expect(ops('restore', target, '--replace')).rejects.toThrow('is not the file that was written')
      expect(await state()).toEqual(before)
    }, 120_000)

    test('of other migrations is refused', async () => {
      const target = join(folder, 'fourth')
      await ops('backup', target)
      await sql(
        "UPDATE gateway._prisma_migrations SET checksum = 'another' WHERE migration_name LIKE '0001%'",
      )
      await expect(ops('restore', target, '--replace')).rejects.toThrow('other migrations')
    }, 120_000)

    test('is refused while a service uses its schema', async () => {
      const target = join(folder, 'fifth')
      await ops('backup', target)
      const service = new pg.Client({ connectionString: database.url, application_name: 'gateway' })
      await service.connect()
      await expect(ops('restore', target, '--replace')).rejects.toThrow('gateway is in use')
      await service.end()
    }, 120_000)
  })
})
