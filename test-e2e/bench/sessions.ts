import { fileURLToPath } from 'node:url'
import { generateIdentityKeys } from '@kyc/http'
import { newId, newToken, sha256Hex } from '@kyc/runtime'
import { createTestDatabase } from '@kyc/testing'
import pg from 'pg'
import { firstLine, type LoadResult, load, median, spawnScript } from './support/load.ts'

export const name = 'sessions'

const script = (file: string) => fileURLToPath(new URL(`./support/${file}`, import.meta.url))
const clients = 16
const rounds = 3
const seconds = 4

/** `POST /v1/sessions` through the gateway beside plain inserts of the same rows into the same table. */
export async function run(): Promise<string> {
  const database = await createTestDatabase()
  const appId = newId('app')
  const environment = {
    BENCH_DATABASE_URL: database.url,
    BENCH_APP_ID: appId,
    BENCH_IDENTITY_KEYS: JSON.stringify(await generateIdentityKeys()),
  }
  const session = spawnScript(script('session-process.ts'), [], environment)
  const { url } = JSON.parse(await firstLine(session)) as { url: string }
  const gateway = spawnScript(script('gateway-process.ts'), [url], environment)
  const door = JSON.parse(await firstLine(gateway)) as { url: string; key: string }
  const created: LoadResult[] = []
  const inserted: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      inserted.push(await plainInserts(database.url, appId))
      created.push(
        await load(
          {
            url: `${door.url}/v1/sessions`,
            method: 'POST',
            connections: clients,
            headers: { 'x-api-key': door.key, 'content-type': 'application/json' },
            body: JSON.stringify({ vendor_data: 'customer-1' }),
          },
          seconds,
        ),
      )
    }
  } finally {
    gateway.kill('SIGKILL')
    session.kill('SIGKILL')
    await database.drop()
  }
  const ratios = created.map((result, index) => result.requestsPerSecond / (inserted[index] ?? Number.NaN))
  const errors = created.reduce((sum, result) => sum + result.errors, 0)
  return [
    '## sessions',
    '',
    `${clients} clients, ${rounds} rounds in turn, medians; the load generator, both services and PostgreSQL share the machine.`,
    '',
    '| | per second | p50 ms | p99 ms |',
    '|---|---|---|---|',
    `| POST /v1/sessions through the gateway | ${median(created.map((r) => r.requestsPerSecond)).toFixed(0)} | ${median(created.map((r) => r.p50)).toFixed(1)} | ${median(created.map((r) => r.p99)).toFixed(1)} |`,
    `| plain INSERT of the same row | ${median(inserted).toFixed(0)} | | |`,
    '',
    `Ratio: **${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; reach 0.4); errors ${errors}`,
  ].join('\n')
}

/** Sixteen connections, each inserting one row after the other, as the service would write them. */
async function plainInserts(url: string, appId: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: clients, options: '-c search_path=session' })
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM workflow LIMIT 1')
  const insert = `INSERT INTO session (session_id, app_id, environment, workflow_id, workflow_version, status, vendor_data,
    token_sha256, created_via, created_at, updated_at, expires_at, due_at)
    VALUES ($1, $2, 'test', $3, 1, 'not_started', 'customer-1', $4, 'api', $5, $5, $6, $6)`
  let count = 0
  const until = Date.now() + seconds * 1000
  const began = Date.now()
  const client = async () => {
    while (Date.now() < until) {
      const now = new Date()
      const expires = new Date(now.getTime() + 168 * 3_600_000)
      const token = Buffer.from(sha256Hex(newToken()), 'hex')
      await pool.query(insert, [newId('session'), appId, rows[0]?.id, token, now, expires])
      count++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await pool.end()
  return (count * 1000) / (Date.now() - began)
}
