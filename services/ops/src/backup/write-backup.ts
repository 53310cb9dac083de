import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Manifest, SchemaBackup, Target } from './manifest.ts'
import { migrationsOf, quote, sequencesOf, tablesOf } from './tables.ts'

/**
 * Copies every table of `targets` into `folder`, which must not exist. Schemas of one database are read in one
 * snapshot, so that the events published by one service and processed by another are consistent.
 */
export async function writeBackup(targets: readonly Target[], folder: string, now: Date): Promise<Manifest> {
  await mkdir(folder, { recursive: false, mode: 0o700 })
  const clients: pg.Client[] = []
  const snapshots = new Map<string, string>()
  const schemas: SchemaBackup[] = []
  try {
    for (const { schema, url } of targets) {
      const client = new pg.Client({ connectionString: url, application_name: `${schema}:backup` })
      await client.connect()
      clients.push(client)
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await shareSnapshot(client, url, snapshots)
      schemas.push(await writeSchema(client, schema, folder))
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
  const manifest: Manifest = { format: 1, created_at: now.toISOString(), schemas }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

async function shareSnapshot(client: pg.Client, url: string, snapshots: Map<string, string>): Promise<void> {
  const { host, pathname } = new URL(url)
  const known = snapshots.get(host + pathname)
  if (known !== undefined) {
    await client.query(`SET TRANSACTION SNAPSHOT '${known}'`)
    return
  }
  const { rows } = await client.query<{ id: string }>('SELECT pg_export_snapshot() AS id')
  snapshots.set(host + pathname, rows[0]?.id ?? '')
}

async function writeSchema(client: pg.Client, schema: string, folder: string): Promise<SchemaBackup> {
  await mkdir(join(folder, schema), { mode: 0o700 })
  const tables: SchemaBackup['tables'] = []
  for (const { name, columns } of await tablesOf(client, schema)) {
    const file = join(schema, `${name}.copy.gz`)
    const hash = createHash('sha256')
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    const source = client.query(
      copyTo(
        `COPY ${quote(schema)}.${quote(name)} (${columns.map(quote).join(', ')}) TO STDOUT (FORMAT binary)`,
      ),
    )
    await pipeline(
      source,
      createGzip({ level: 3 }),
      hashing,
      createWriteStream(join(folder, file), { mode: 0o600 }),
    )
    tables.push({ name, columns, file, sha256: hash.digest('hex') })
  }
  return {
    schema,
    migrations: await migrationsOf(client, schema),
    tables,
    sequences: await sequencesOf(client, schema),
  }
}
