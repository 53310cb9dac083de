import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger } from '../logger.ts'

type Options = { url: string; schema: string; folder: string; logger: Logger }

/**
 * Applies a service's SQL migrations in the order of their names, each in one transaction, and maintains Prisma's own
 * bookkeeping (`_prisma_migrations`), so that Prisma's commands read the same history. An advisory lock per schema
 * admits one runner at a time; the others wait and find nothing to do.
 */
export async function migrate({ url, schema, folder, logger }: Options): Promise<void> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({ connectionString: url, application_name: `${schema}:migrate` })
  await client.connect()
  try {
    const lock = lockNumber(schema)
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    await ensureSchema(client, schema)
    await client.query(`SET search_path TO "${schema}"`)
    await client.query(bookkeepingTable)
    const applied = await readApplied(client)
    for (const { name, sql, checksum } of migrations) {
      const known = applied.get(name)
      if (known === checksum) continue
      if (known !== undefined) {
        throw new Error(
          `Migration ${schema}/${name} was changed after it was applied; add a new one instead.`,
        )
      }
      await apply(client, name, sql, checksum)
      logger.info('migration applied', { schema, migration: name })
    }
    await client.query('SELECT pg_advisory_unlock($1)', [lock])
  } finally {
    await client.end()
  }
}

/** Creates the schema only if it is missing, because the usual role in production may not create schemas. */
export async function ensureSchema(client: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (rowCount === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
}

/**
 * Resolves when every migration of `folder` is applied; otherwise throws and names the first missing one. For processes
 * that may not migrate: their supervisor restarts them until the migration job has run.
 */
export async function assertMigrated({ url, schema, folder }: Omit<Options, 'logger'>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: `${schema}:migrate` })
  await client.connect()
  try {
    await client.query(`SET search_path TO "${schema}"`)
    const { rows } = await client.query<{ made: boolean }>(
      `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS made`,
    )
    const applied = rows[0]?.made ? await readApplied(client) : new Map<string, string>()
    const missing = (await readMigrations(folder)).find(({ name }) => !applied.has(name))
    if (missing)
      throw new Error(`Migration ${schema}/${missing.name} is not applied yet; run the migration first.`)
  } finally {
    await client.end()
  }
}

/** Columns and types as Prisma Migrate creates them. */
const bookkeepingTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`

async function readMigrations(folder: string) {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  )
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

async function apply(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(sql)
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** A 63-bit lock key derived from the schema's name. */
function lockNumber(schema: string): string {
  return (createHash('sha256').update(`migrate:${schema}`).digest().readBigUInt64BE() >> 1n).toString()
}
