import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId, openDatabase, silentLogger } from '@kyc/runtime'
import { appendAudit } from '@kyc/service-console'
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

/** Runs one command line; returns its output and exit code. */
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

test('an unknown command, or one with wrong arguments, prints the usage', async () => {
  expect((await ops('help')).code).toBe(0)
  const unknown = await ops('no-such-command')
  expect(unknown.code).toBe(2)
  expect(unknown.said.join('\n')).toContain('dead-letters list <service>.<event>')
  expect(await ops('restore', folder)).toMatchObject({ code: 2 })
  expect(await ops('migrate', 'nobody')).toMatchObject({ code: 2 })
})

test('a command that needs a running service reports the missing setting', async () => {
  await expect(ops('lists', 'status')).rejects.toThrow('RABBITMQ_URL')
})

describe('with every schema migrated', () => {
  beforeAll(async () => {
    const { code, said } = await ops('migrate')
    expect([code, said.length]).toEqual([0, 8])
  }, 120_000)

  test('migrating again applies nothing', async () => {
    expect((await ops('migrate', 'session')).said).toEqual(['session: up to date'])
  })

  test('rotates keys to a new key-encryption key, after which the old one can be removed', async () => {
    expect((await ops('rotate-keys')).code).toBe(0)
    const old = environment
    const VAULT_KEY = randomBytes(32).toString('base64')
    environment = { ...old, VAULT_KEY, VAULT_KEY_ID: 'k2', VAULT_PREVIOUS_KEYS: `k1=${old.VAULT_KEY}` }
    expect((await ops('rotate-keys')).code).toBe(0)
    environment = { ...old, VAULT_KEY, VAULT_KEY_ID: 'k2' }
    expect((await ops('rotate-keys')).code).toBe(0)
    // The previous key no longer opens it.
    environment = old
    await expect(ops('rotate-keys')).rejects.toThrow()
    environment = { ...old, VAULT_KEY, VAULT_KEY_ID: 'k2' }
  })

  test('without any decision, none differs', async () => {
    expect(await ops('replay-decisions')).toEqual({
      code: 0,
      said: ['0 decisions, 0 receipts, 0 files: 0 differences'],
    })
  })

  describe('the audit log', () => {
    const newKey = () => JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
    /** Appends entries as the console does. */
    async function write(count: number): Promise<void> {
      const console = await openDatabase({
        url: database.url,
        schema: 'console',
        migrate: false,
        logger: silentLogger,
      })
      for (let number = 0; number < count; number++)
        await console.transaction((tx) =>
          appendAudit(tx, {
            id: newId('message'),
            at: '2026-03-01T12:00:00Z',
            actor: { type: 'system', id: 'test' },
            ip: null,
            app_id: null,
            action: 'test.acted',
            target: `ses_${number}`,
            details: {},
          }),
        )
      await console.close()
    }
    const attack = (statement: string) =>
      sql(`ALTER TABLE console.audit_entry DISABLE TRIGGER USER; ${statement};
           ALTER TABLE console.audit_entry ENABLE TRIGGER USER`)
    /** The output of a failing command, and its error. */
    async function failing(...argv: string[]): Promise<{ said: string[]; error: string }> {
      const said: string[] = []
      const context = createContext(readConfig(environment), {
        logger: silentLogger,
        say: (line) => said.push(line),
      })
      const error = await runCommand(argv, context).then(
        (code) => `exit code ${code}`,
        (thrown: Error) => thrown.message,
      )
      return { said, error }
    }
    let head: string

    beforeAll(() => {
      environment = { ...environment, AUDIT_SIGNING_KEY: newKey() }
    })

    test('that is empty, or not covered by any head, is not proven', async () => {
      expect(await failing('verify-audit')).toMatchObject({
        said: [expect.anything(), 'The log is empty: nothing is proven.'],
        error: 'No entry of the audit log is proven.',
      })
      expect((await failing('audit-head')).error).toBe('The audit log has no entry yet.')
      await write(100)
      const { said, error } = await failing('verify-audit')
      expect(error).toBe('No entry of the audit log is proven.')
      expect(said.slice(1)).toEqual([
        'Nothing is proven: no head outside the database covers these entries.',
        'Entries 1 to 100 are chained but not yet covered by a head.',
      ])
    })

    test('is proven up to the exported head', async () => {
      const { code, said } = await ops('audit-head')
      expect(code).toBe(0)
      head = join(folder, 'head.json')
      await writeFile(head, said[0] as string)
      await write(5)
      const verified = await ops('verify-audit', '--head', head)
      expect(verified.code).toBe(0)
      expect(JSON.parse(verified.said[0] as string)).toMatchObject({ verdict: 'proven', proven_to: 100 })
      expect(verified.said[1]).toMatch(
        /^Entries 1 to 100 are proven by the head of \S+ stored in the vault\.$/,
      )
      expect(verified.said[2]).toBe('Entries 101 to 105 are chained but not yet covered by a head.')
    })

    test('with the newest 44 entries deleted fails, and the error names them', async () => {
      await attack('DELETE FROM console.audit_entry WHERE seq > 61; DELETE FROM console.audit_head_copy')
      const { said, error } = await failing('verify-audit')
      expect(error).toBe('The audit log is not as it was written.')
      expect(said[1]).toMatch(/^Entries 62 to 100 are missing: the head of \S+ stored in the vault proves/)
    })

    test('rolled back together with the vault fails against the exported head', async () => {
      const moved = environment
      environment = { ...environment, VAULT_STORE: `folder:${join(folder, 'older-vault')}` }
      expect((await failing('verify-audit')).error).toBe('No entry of the audit log is proven.')
      const { said, error } = await failing('verify-audit', '--head', head)
      expect(error).toBe('The audit log is not as it was written.')
      expect(said[1]).toMatch(/^Entries 62 to 100 are missing: the head of \S+ that was exported proves/)
      environment = moved
    })

    test('that was emptied fails', async () => {
      const before = await sql('CREATE TABLE public.kept AS SELECT * FROM console.audit_entry')
      expect(before).toEqual([])
      await attack('DELETE FROM console.audit_entry')
      const { said, error } = await failing('verify-audit')
      expect(error).toBe('The audit log is not as it was written.')
      expect(said.slice(1)).toEqual([
        expect.stringMatching(/^Entries 1 to 100 are missing/),
        'The log is empty: nothing is proven.',
      ])
      await attack('INSERT INTO console.audit_entry SELECT * FROM public.kept; DROP TABLE public.kept')
    })

    test('is valid again once the operator has accepted exactly the loss that was found', async () => {
      expect((await failing('accept-audit-loss', '--from', '60', '--to', '100')).error).toContain('62 to 100')
      const { code, said } = await ops('accept-audit-loss', '--from', '62', '--to', '100')
      expect([code, said.at(-1)]).toEqual([0, expect.stringContaining('were 62 to 100')])
      expect((await ops('verify-audit', '--head', head)).code).toBe(0)
    })

    test('is not compared with an invalid head, or with a head signed by another key', async () => {
      const file = join(folder, 'other.json')
      await writeFile(file, '{"seq":1}')
      expect((await ops('verify-audit', '--head', file)).code).toBe(2)
      expect((await ops('verify-audit', '--head', join(folder, 'none.json'))).code).toBe(2)
      expect((await ops('accept-audit-loss', '--from', 'x', '--to', '2')).code).toBe(2)
      const key = environment.AUDIT_SIGNING_KEY as string
      environment = { ...environment, AUDIT_SIGNING_KEY: newKey() }
      const { said, error } = await failing('verify-audit')
      expect(error).toBe('The audit log is not as it was written.')
      expect(said[1]).toContain('is none of the trusted ones')
      environment = { ...environment, AUDIT_PREVIOUS_KEYS: JSON.parse(key).x }
      expect((await ops('verify-audit', '--head', head)).code).toBe(0)
    })
  })

  describe('a backup', () => {
    const marker = `INSERT INTO flow.outbox (id, name, version, payload, occurred_at, available_at)
      VALUES (gen_random_uuid(), 'example.happened', 1, '{"text":"Łódź \\\\ \\" tab\\there"}', now(), now())`
    const state = async () => ({
      events: await sql('SELECT id, name, payload::text, occurred_at, seq FROM flow.outbox ORDER BY seq'),
      next: (await sql('SELECT last_value + is_called::int AS next FROM flow.outbox_seq_seq'))[0],
    })

    test('restores every row and sequence as they were, and removes later ones', async () => {
      await sql(marker)
      const before = await state()
      const target = join(folder, 'first')
      expect((await ops('backup', target)).code).toBe(0)
      await sql(marker)
      await sql('DELETE FROM flow.outbox WHERE seq = 1')
      expect((await ops('restore', target, '--replace')).code).toBe(0)
      expect(await state()).toEqual(before)
    }, 120_000)

    test('is readable by its owner only, and contains every table of every service', async () => {
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

    test('that is corrupted is rejected before anything is written', async () => {
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

    test('with other migrations is rejected', async () => {
      const target = join(folder, 'fourth')
      await ops('backup', target)
      await sql(
        "UPDATE gateway._prisma_migrations SET checksum = 'another' WHERE migration_name LIKE '0001%'",
      )
      await expect(ops('restore', target, '--replace')).rejects.toThrow('other migrations')
    }, 120_000)

    test('is rejected while a service uses its schema', async () => {
      const target = join(folder, 'fifth')
      await ops('backup', target)
      const service = new pg.Client({ connectionString: database.url, application_name: 'gateway' })
      await service.connect()
      await expect(ops('restore', target, '--replace')).rejects.toThrow('gateway is in use')
      await service.end()
    }, 120_000)
  })
})
