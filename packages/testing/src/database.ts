import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomText, silentLogger, startEmbeddedPostgres } from '@kyc/runtime'
import pg from 'pg'

export type TestDatabase = { url: string; drop(): Promise<void> }

/** Settings for a server whose data may be lost. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** A private PostgreSQL in a temporary folder, for a whole test run or, without one, for one suite. */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-test-'))
  await chmod(folder, 0o755)
  const server = await startEmbeddedPostgres({ folder, logger: silentLogger, settings: fastSettings })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An empty database for one suite, on the run's server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const shared = process.env.KYC_TEST_DATABASE_URL
  const server = shared ? { url: shared, stop: async () => {} } : await startTestServer()
  const name = `suite_${randomText(16).toLowerCase()}`
  await administer(server.url, `CREATE DATABASE ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    drop: async () => {
      await administer(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await server.stop()
    },
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
