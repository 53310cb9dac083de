import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kyc/runtime'
import { createTestDatabase } from '@kyc/testing'
import { cpuSeconds, firstLine, type LoadResult, load, median, spawnScript } from './support/load.ts'
import { holdSlowSockets, slowSockets } from './support/slow-sockets.ts'

export const name = 'gateway'

const script = (file: string) => fileURLToPath(new URL(`./support/${file}`, import.meta.url))
const rounds = 3
const connections = 64

type Contender = { name: string; url: string; pid: number; headers?: Record<string, string> }
type Row = { result: LoadResult; cpuMicroseconds: number }

/** One nginx worker in front of `target`; null if nginx is not installed. */
async function startNginx(
  target: string,
): Promise<{ contender: Contender; stop: () => Promise<void> } | null> {
  if (spawnSync('nginx', ['-v']).error) return null
  const folder = await mkdtemp(join(tmpdir(), 'kyc-nginx-'))
  const port = await freePort()
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log /dev/null;
events { worker_connections 1024; }
http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  upstream service { server ${target.replace('http://', '')}; keepalive 64; }
  server { listen 127.0.0.1:${port}; keepalive_requests 1000000;
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header connection ""; } } }`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', '/dev/null'], { stdio: 'ignore' })
  return {
    contender: { name: 'nginx, one worker', url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 },
    stop: async () => {
      child.kill('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Requests/s, latency and CPU per request of the gateway compared with a bare proxy, nginx and no proxy, in turn. */
export async function run(): Promise<string> {
  const database = await createTestDatabase()
  const upstream = spawnScript(script('upstream-process.ts'))
  const target = (JSON.parse(await firstLine(upstream)) as { url: string }).url
  const gatewayProcess = spawnScript(script('gateway-process.ts'), [target], {
    BENCH_DATABASE_URL: database.url,
  })
  const bareProcess = spawnScript(script('bare-proxy-process.ts'), [target])
  const gateway = JSON.parse(await firstLine(gatewayProcess)) as { url: string; key: string }
  const bare = JSON.parse(await firstLine(bareProcess)) as { url: string }
  const nginx = await startNginx(target)
  const headers = { 'x-api-key': gateway.key }
  const contenders: Contender[] = [
    { name: 'gateway (key, limit, identity)', url: gateway.url, pid: gatewayProcess.pid ?? 0, headers },
    { name: 'express + http-proxy-middleware, bare', url: bare.url, pid: bareProcess.pid ?? 0, headers },
    ...(nginx ? [nginx.contender] : []),
    { name: 'the service itself', url: target, pid: upstream.pid ?? 0 },
  ]
  const slow: { p99Before: number; p99: number; open: number }[] = []
  const rows = new Map<string, Row[]>(contenders.map((contender) => [contender.name, []]))
  try {
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const options = { url: `${contender.url}/v1/sessions`, connections, headers: contender.headers ?? {} }
        await load(options, 1)
        const before = cpuSeconds(contender.pid)
        const began = Date.now()
        const result = await load(options, 4)
        // The warm-up inside `load` also costs CPU, so both rate and cost are over the whole span.
        const requests = (result.requestsPerSecond * (Date.now() - began)) / 1000
        const spent = cpuSeconds(contender.pid) - before
        rows.get(contender.name)?.push({ result, cpuMicroseconds: (spent / requests) * 1e6 })
      }
    }
    for (let round = 0; round < rounds; round++) {
      const options = { url: `${gateway.url}/v1/sessions`, connections: 8, headers }
      const { p99: p99Before } = await load(options, 4)
      const held = await holdSlowSockets(gateway.url, gateway.key)
      const { p99 } = await load(options, 4)
      slow.push({ p99Before, p99, open: held.open() })
      held.close()
    }
  } finally {
    await nginx?.stop()
    for (const child of [gatewayProcess, bareProcess, upstream]) child.kill('SIGKILL')
    await database.drop()
  }
  return report(rows, slow, nginx === null)
}

function report(
  rows: Map<string, Row[]>,
  slow: { p99Before: number; p99: number; open: number }[],
  withoutNginx: boolean,
): string {
  const lines = [...rows].map(([contender, all]) => {
    const of = (pick: (row: Row) => number) => median(all.map(pick))
    const errors = all.reduce((sum, row) => sum + row.result.errors, 0)
    return `| ${contender} | ${of((row) => row.result.requestsPerSecond).toFixed(0)} | ${of((row) => row.result.p50).toFixed(1)} | ${of((row) => row.result.p99).toFixed(1)} | ${of((row) => row.cpuMicroseconds).toFixed(0)} | ${errors} |`
  })
  const cost = (contender: string) => rows.get(contender)?.map((row) => row.cpuMicroseconds) ?? []
  const ratios = (peer: string) =>
    cost('gateway (key, limit, identity)').map((own, index) => (cost(peer)[index] ?? Number.NaN) / own)
  const spread = (values: number[]) =>
    `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`
  return [
    `## gateway`,
    '',
    `${connections} connections, ${rounds} rounds in turn, medians. CPU is that of the proxy's own process.`,
    '',
    '| | requests/s | p50 ms | p99 ms | CPU µs a request | errors |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    `Requests per CPU second, gateway to bare express + http-proxy-middleware: **${spread(ratios('express + http-proxy-middleware, bare'))}** (reach 1.1)`,
    withoutNginx
      ? 'nginx: skipped, it is not installed'
      : `Requests per CPU second, gateway to one nginx worker: **${spread(ratios('nginx, one worker'))}** (reach 0.1)`,
    '',
    `p99 of eight other callers with ${slowSockets} slow sockets of one address held open (${Math.min(...slow.map(({ open }) => open))} or more at all times) to without: **${spread(slow.map(({ p99, p99Before }) => p99 / p99Before))}** (at most 2); ${slow.map(({ p99Before, p99 }) => `${p99Before} to ${p99} ms`).join(', ')}`,
  ].join('\n')
}
