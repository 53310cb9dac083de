import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateIdentityKeys } from '@kyc/http'
import { newId, newToken, sha256Hex, silentLogger, startEmbeddedPostgres } from '@kyc/runtime'
import { startTestServer } from '@kyc/testing'
import pg from 'pg'
import { firstLine, type LoadResult, load, median, spawnScript } from './support/load.ts'

export const name = 'sessions'

const script = (file: string) => fileURLToPath(new URL(`./support/${file}`, import.meta.url))
const clients = 16
const rounds = 3
const seconds = 4

/** `POST /v1/sessions` through the gateway compared with plain inserts of the same rows into the same tables. */
export async function run(): Promise<string> {
  const durable = await withServer(startDurableServer, measure)
  const volatile = await withServer(startTestServer, measure)
  return [
    '## sessions',
    '',
    `${clients} clients, ${rounds} rounds in turn, medians; the load generator, both services and PostgreSQL share the machine.`,
    'A row is the session and its first event, as the service writes them.',
    '',
    '| | per second | p50 ms | p99 ms | of plain INSERT (reach 0.4) |',
    '|---|---|---|---|---|',
    ...lines('PostgreSQL as `start` runs it', durable),
    ...lines('without flushing to disk (as tests run it)', volatile),
  ].join('\n')
}

type Measured = { created: LoadResult[]; inserted: number[] }
type Server = { url: string; stop(): Promise<void> }

function lines(label: string, { created, inserted }: Measured): string[] {
  const ratios = created.map((result, index) => result.requestsPerSecond / (inserted[index] ?? Number.NaN))
  const errors = created.reduce((sum, result) => sum + result.errors, 0)
  const of = (key: 'requestsPerSecond' | 'p50' | 'p99') => median(created.map((result) => result[key]))
  return [
    `| ${label}: POST /v1/sessions through the gateway, ${errors} errors | ${of('requestsPerSecond').toFixed(0)} | ${of('p50').toFixed(1)} | ${of('p99').toFixed(1)} | **${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}) |`,
    `| ${label}: plain INSERT | ${median(inserted).toFixed(0)} | | | |`,
  ]
}

/** The server that the product starts, with its settings: every commit is on disk before it is acknowledged. */
async function startDurableServer(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-bench-'))
  await chmod(folder, 0o755)
  const server = await startEmbeddedPostgres({ folder, logger: silentLogger })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function withServer(start: () => Promise<Server>, work: (url: string) => Promise<Measured>) {
  const server = await start()
  try {
    return await work(server.url)
  } finally {
    await server.stop()
  }
}

async function measure(databaseUrl: string): Promise<Measured> {
  const appId = newId('app')
  const vault = await mkdtemp(join(tmpdir(), 'kyc-bench-vault-'))
  const environment = {
    BENCH_DATABASE_URL: databaseUrl,
    BENCH_APP_ID: appId,
    BENCH_VAULT_FOLDER: vault,
    BENCH_IDENTITY_KEYS: JSON.stringify(await generateIdentityKeys()),
  }
  const session = spawnScript(script('session-process.ts'), [], environment)
  let gateway: ReturnType<typeof spawnScript> | undefined
  const measured: Measured = { created: [], inserted: [] }
  try {
    const { url } = JSON.parse(await firstLine(session)) as { url: string }
    gateway = spawnScript(script('gateway-process.ts'), [url], environment)
    const door = JSON.parse(await firstLine(gateway)) as { url: string; key: string }
    const request = {
      url: `${door.url}/v1/sessions`,
      method: 'POST' as const,
      connections: clients,
      headers: { 'x-api-key': door.key, 'content-type': 'application/json' },
      body: JSON.stringify({ vendor_data: 'customer-1' }),
    }
    for (let round = 0; round < rounds; round++) {
      measured.inserted.push(await plainInserts(databaseUrl, appId))
      measured.created.push(await load(request, seconds))
    }
  } finally {
    gateway?.kill('SIGKILL')
    session.kill('SIGKILL')
    await rm(vault, { recursive: true, force: true })
  }
  return measured
}

/** Sixteen connections, each inserting sessions with their event sequentially, one statement per session. */
async function plainInserts(url: string, appId: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: clients, options: '-c search_path=session' })
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM workflow LIMIT 1')
  const insert = `WITH made AS (INSERT INTO session (session_id, app_id, environment, workflow_id, workflow_version, status,
      vendor_data, token_sha256, created_via, created_at, updated_at, expires_at, due_at)
    VALUES ($1, $2, 'test', $3, 1, 'not_started', 'customer-1', $4, 'api', $5, $5, $6, $6))
    INSERT INTO session_event (session_id, app_id, workflow_id, kind, actor_type, at, cohort)
    VALUES ($1, $2, $3, 'created', 'api_key', $5, ($5::timestamptz AT TIME ZONE 'UTC')::date)`
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
