import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import pg from 'pg'
import { FolderInUseError } from '../folder-lock.ts'
import { silentLogger } from '../logger.ts'
import { startEmbeddedPostgres } from './embedded.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-embedded-'))
  await chmod(folder, 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const start = () => startEmbeddedPostgres({ folder, logger: silentLogger })
const serverPid = async () => (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]

async function countTables(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query('SELECT 1 FROM pg_tables')).rowCount ?? 0
  } finally {
    await client.end()
  }
}

test('a second start on the same folder is rejected and does not affect the running server', async () => {
  const database = await start()
  try {
    const pid = await serverPid()
    await expect(start()).rejects.toThrow(FolderInUseError)
    expect(await serverPid()).toBe(pid)
    expect(await countTables(database.url)).toBeGreaterThan(0)
  } finally {
    await database.stop()
  }
})

test('a stopped server releases its folder', async () => {
  await (await start()).stop()
  const again = await start()
  expect(await countTables(again.url)).toBeGreaterThan(0)
  await again.stop()
})
