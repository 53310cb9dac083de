import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Manifest, manifestSchema, type SchemaBackup, type Target } from './manifest.ts'
import { migrationsOf, quote, tablesOf } from './tables.ts'

/** Why a backup cannot be restored; the schema that it names is unchanged. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError'
}

/**
 * Replaces the content of the schemas with a backup. Every file is verified before anything is written; each schema is
 * restored in one transaction. The services must be stopped, and the schemas must have the migrations that the backup
 * was made with.
 */
export async function restoreBackup(targets: readonly Target[], folder: string): Promise<Manifest> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  await checkFiles(manifest, folder)
  for (const backup of manifest.schemas) {
    const target = targets.find(({ schema }) => schema === backup.schema)
    if (!target) throw new RestoreError(`nothing here keeps the schema ${backup.schema}`)
    await restoreSchema(target, backup, folder)
  }
  return manifest
}

async function checkFiles(manifest: Manifest, folder: string): Promise<void> {
  for (const { tables } of manifest.schemas) {
    for (const { file, sha256 } of tables) {
      const hash = createHash('sha256')
      for await (const chunk of createReadStream(join(folder, file))) hash.update(chunk as Buffer)
      if (hash.digest('hex') !== sha256) throw new RestoreError(`${file} is not the file that was written`)
    }
  }
}

async function restoreSchema({ schema, url }: Target, backup: SchemaBackup, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: `${schema}:restore` })
  await client.connect()
  try {
    await assertUnused(client, schema)
    const migrations = await migrationsOf(client, schema)
    if (migrations.join() !== backup.migrations.join()) {
      throw new RestoreError(
        `${schema} is at other migrations than the backup: migrate with the version that made it, restore, then upgrade`,
      )
    }
    await client.query('BEGIN')
    const present = await tablesOf(client, schema)
    const qualified = (name: string) => `${quote(schema)}.${quote(name)}`
    // Counters and append-only rules are implemented as rows and triggers: the rows come from the backup, so the
    // triggers must not run.
    for (const { name } of present) await client.query(`ALTER TABLE ${qualified(name)} DISABLE TRIGGER USER`)
    if (present.length > 0)
      await client.query(`TRUNCATE ${present.map(({ name }) => qualified(name)).join(', ')}`)
    for (const { name } of present) {
      const table = backup.tables.find((each) => each.name === name)
      if (!table) throw new RestoreError(`the backup does not hold ${schema}.${name}`)
      const columns = table.columns.map(quote).join(', ')
      const sink = client.query(copyFrom(`COPY ${qualified(name)} (${columns}) FROM STDIN (FORMAT binary)`))
      await pipeline(createReadStream(join(folder, table.file)), createGunzip(), sink)
    }
    for (const { name } of present) await client.query(`ALTER TABLE ${qualified(name)} ENABLE TRIGGER USER`)
    for (const [name, next] of Object.entries(backup.sequences)) {
      await client.query('SELECT setval($1::regclass, $2::bigint, false)', [qualified(name), next])
    }
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

async function assertUnused(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name IN ($1, $1 || ':listen')`,
    [schema],
  )
  if ((rows[0]?.count ?? 0) > 0) throw new RestoreError(`${schema} is in use: stop its service first`)
}
