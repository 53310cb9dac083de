import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { createLogger, freePort } from '@kyc/runtime'
import { type RunningSystem, readConfig, startSystem } from '@kyc/service-standalone'
import { createTestDatabase, modelsDir, sharedDir } from '@kyc/testing'

export type TestSystem = RunningSystem & { databaseUrl: string; close(): Promise<void> }

/** The environment of a system under test: development webhooks, and real models and lists if available. */
export async function testEnvironment(folder: string): Promise<Record<string, string>> {
  const models = modelsDir()
  const lists = sharedDir('data', 'sanctions', 'lists', 'ofac_2024-05-03')
  const port = String(await freePort())
  return {
    PORT: port,
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    ALLOW_PRIVATE_WEBHOOKS: '1',
    SANCTIONS_DOWNLOAD: '0',
    RATE_LIMIT_PER_MINUTE: '100000',
    RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: '100000',
    CLOCK_SECONDS: '1',
    ...(models ? { MODELS_DIR: models } : {}),
    ...(lists ? { SANCTIONS_DIR: lists } : {}),
  }
}

/** A data folder that a PostgreSQL running as another user can access. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-e2e-'))
  await chmod(folder, 0o711)
  return folder
}

/** The whole system in this process, on the test run's PostgreSQL. */
export async function startTestSystem(
  overrides: Record<string, string> = {},
  options: Omit<NonNullable<Parameters<typeof startSystem>[1]>, 'logger'> = {},
): Promise<TestSystem> {
  const folder = await temporaryFolder()
  const database = await createTestDatabase()
  const environment = { ...(await testEnvironment(folder)), DATABASE_URL: database.url, ...overrides }
  const log = recentLog()
  const system = await startSystem(readConfig(environment), { ...options, logger: log.logger }).catch(
    (error) => {
      process.stdout.write(`a test system did not start; its last warnings:\n${log.lines.join('')}`)
      throw error
    },
  )
  return {
    ...system,
    databaseUrl: database.url,
    close: async () => {
      await system.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The logged error of a system that does not start, because an error crosses the bus without its text. */
function recentLog() {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      if (lines.length > 20) lines.shift()
      done()
    },
  })
  return { lines, logger: createLogger({ service: 'standalone', level: 'warn', stream }) }
}
