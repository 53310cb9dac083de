import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateIdentityKeys } from '@kyc/http'
import { freePort, newId } from '@kyc/runtime'
import { createTestDatabase, rabbitmqIsInstalled, sharedDir, startRabbitmq } from '@kyc/testing'
import { offer, timesOf } from '../support/open-loop.ts'
import { type ServiceProcess, startProcess, untilUp } from '../support/process.ts'
import { cpuSeconds, firstLine, type LoadResult, load, median, spawnScript } from './support/load.ts'
import { readTruth } from './support/screening-truth.ts'
import { percentile } from './support/session-load.ts'

export const name = 'screening-http'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = [
  'ofac_2024-05-03/sdn.csv',
  'ofac_2024-05-03/alt_2025-02-27.csv',
  'un/un_consolidated_2026-02-27.xml',
]
const rounds = 3
const seconds = 5
/** Arrival rate, in requests a second, independent of responses. */
const rate = 300
const connections = 16

/**
 * `POST /v1/checks/aml` through the gateway, and the memory of the screening process as in production, which runs
 * compiled code.
 */
export async function run(keep: (section: string) => void): Promise<string> {
  const truth = sharedDir('data', 'sanctions', 'truth.jsonl')
  const folder = sharedDir('data', 'sanctions', 'lists')
  if (truth === null || folder === null)
    return '## Screening over HTTP\n\nSkipped: the truth set is not here (KYC_SHARED_DIR).'
  if (!rabbitmqIsInstalled()) return '## Screening over HTTP\n\nSkipped: no rabbitmq-server is installed.'
  const projects = ['services/sanctions-screening', 'services/gateway']
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', ...projects], { cwd: root })
  const lines = [
    '## Screening over HTTP',
    '',
    `SDN with aliases, and UN; the names of the truth set through the gateway; ${rounds} rounds of ${seconds} s. At a rate, requests come as a Poisson process does and are timed from when they were due. Load, gateway, screening, PostgreSQL and RabbitMQ share the machine.`,
    'Memory: resident, of the compiled process; its highest in brackets.',
    '',
    '| | requests/s | p50 ms | p99 ms | errors | CPU ms a request, screening | gateway | memory MB |',
    '|---|---|---|---|---|---|---|---|',
  ]
  const queries = readTruth(truth).filter(({ kind }) => kind !== 'pair')
  await withGateway(folder, async ({ url, key, gatewayPid, restart }) => {
    const requests = queries.map(({ query }) => ({
      method: 'POST' as const,
      path: '/v1/checks/aml',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ full_name: query }),
    }))
    for (const start of ['lists read from a folder', 'lists from the store'] as const) {
      const began = performance.now()
      const service = await restart()
      const up = (performance.now() - began) / 1000
      lines.push(`| started, ${start}: ready after ${up.toFixed(1)} s | | | | | | | ${memoryOf(service)} |`)
      const loads: [label: string, once: () => Promise<LoadResult>][] = [
        [`${rate}/s, callers on their own`, () => callersOnTheirOwn(url, key, queries)],
        [`as fast as ${connections} connections go`, () => load({ url, connections, requests }, seconds)],
      ]
      for (const [label, once] of loads) {
        const results: LoadResult[] = []
        const pids = [service.child.pid ?? 0, gatewayPid]
        const before = pids.map(cpuSeconds)
        for (let round = 0; round < rounds; round++) results.push(await once())
        // The second of warm-up before each round costs as much per request as the round itself.
        const answered = results.reduce((sum, result) => sum + result.requestsPerSecond * (seconds + 1), 0)
        const cpu = pids.map((pid, at) => (((cpuSeconds(pid) - before[at]!) * 1000) / answered).toFixed(2))
        lines.push(`| ${start}, ${label} | ${cells(results)} | ${cpu.join(' | ')} | ${memoryOf(service)} |`)
        keep(lines.join('\n'))
      }
    }
  })
  return [...lines, '', `Load average of the last minute: ${loadavg()[0]?.toFixed(1)}.`].join('\n')
}

/** After a second of warm-up that does not count, like `load`. */
async function callersOnTheirOwn(
  url: string,
  key: string,
  queries: readonly { query: string }[],
): Promise<LoadResult> {
  const call = {
    url: `${url}/v1/checks/aml`,
    method: 'POST',
    headers: { 'x-api-key': key },
    body: (request: number) => JSON.stringify({ full_name: queries[request % queries.length]?.query }),
    perSecond: rate,
    connections: 64,
  }
  await offer({ ...call, seconds: 1 })
  const answers = await offer({ ...call, seconds })
  const times = timesOf(answers, 200)
  return {
    requestsPerSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    errors: answers.length - times.length,
  }
}

function cells(results: readonly LoadResult[]): string {
  const of = (key: 'requestsPerSecond' | 'p50' | 'p99') => median(results.map((result) => result[key]))
  const errors = results.reduce((sum, result) => sum + result.errors, 0)
  const spread = results.map(({ p99 }) => p99.toFixed(0)).join(', ')
  return `${of('requestsPerSecond').toFixed(0)} | ${of('p50').toFixed(0)} | ${of('p99').toFixed(0)} (${spread}) | ${errors}`
}

function memoryOf({ child }: ServiceProcess): string {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  const of = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN)
  return `${((of('VmRSS') * 1024) / 1e6).toFixed(0)} (${((of('VmHWM') * 1024) / 1e6).toFixed(0)})`
}

interface Door {
  url: string
  key: string
  gatewayPid: number
  /** Restarts the screening service on the same database. */
  restart(): Promise<ServiceProcess>
}

async function withGateway(published: string, work: (door: Door) => Promise<void>): Promise<void> {
  const [database, broker, keys, folder, port, metricsPort] = await Promise.all([
    createTestDatabase(),
    startRabbitmq(),
    generateIdentityKeys(),
    mkdtemp(join(tmpdir(), 'kyc-bench-screening-')),
    freePort(),
    freePort(),
  ])
  await mkdir(join(folder, 'lists'))
  for (const file of files)
    await copyFile(join(published, file), join(folder, 'lists', file.replaceAll('/', '-')))
  const vaultKey = randomBytes(32).toString('base64')
  let service: ServiceProcess | undefined
  const gateway = spawnScript(
    fileURLToPath(new URL('./support/gateway-process.ts', import.meta.url)),
    [`http://127.0.0.1:${port}`],
    {
      BENCH_DATABASE_URL: database.url,
      BENCH_APP_ID: newId('app'),
      BENCH_IDENTITY_KEYS: JSON.stringify(keys),
    },
  )
  try {
    const door = JSON.parse(await firstLine(gateway)) as { url: string; key: string }
    const restart = async () => {
      await service?.kill('SIGTERM')
      service = startProcess('sanctions-screening', {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        LOG_LEVEL: 'info',
        DATABASE_URL: database.url,
        RABBITMQ_URL: broker.url,
        INTERNAL_IDENTITY_PUBLIC_KEY: keys.publicKey,
        VAULT_STORE: `folder:${join(folder, 'vault')}`,
        VAULT_KEY: vaultKey,
        SANCTIONS_DIR: join(folder, 'lists'),
      })
      await untilUp(`http://127.0.0.1:${metricsPort}/ready`, service, 120_000)
      return service
    }
    await work({ ...door, gatewayPid: gateway.pid ?? 0, restart })
  } finally {
    gateway.kill('SIGKILL')
    await service?.kill('SIGKILL')
    await broker.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
}
