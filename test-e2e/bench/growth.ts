import { loadavg } from 'node:os'
import { rabbitmqIsInstalled } from '@kyc/testing'
import { withApps } from './growth/apps.ts'
import { callsOfEach, type Kind } from './growth/calls.ts'
import { withLists } from './growth/lists.ts'
import { type ReplicaGrowth, withReplicas } from './growth/replicas.ts'
import { withSessions } from './growth/sessions.ts'
import { drawing } from './support/drawing.ts'
import { lineChart } from './support/line-chart.ts'
import { percentile } from './support/session-load.ts'

export const name = 'growth'

const sessionSizes = (process.env.BENCH_GROWTH_SESSIONS ?? '1000,10000,100000,1000000').split(',').map(Number)
const appSizes = [1, 10, 100, 1_000]
const listMultiples = [1, 2, 5, 10]
const mostReplicas = 3

/** How cost grows with the number of stored sessions, apps, list entries and replicas. */
export async function run(keep: (section: string) => void): Promise<string> {
  const parts: string[] = ['## growth']
  const say = (...lines: string[]) => {
    parts.push(lines.join('\n'))
    keep(parts.join('\n\n'))
  }
  say(
    `${callsOfEach} calls of each kind, one client, p50 in milliseconds; gateway to PostgreSQL in one process. Load average ${loadavg()[0]?.toFixed(1)}.`,
  )
  const bySessions = new Map<number, Map<Kind, number>>()
  for (const size of sessionSizes) {
    bySessions.set(size, await withSessions(size))
    progress(`${size} sessions`)
  }
  say(
    ...callTable('sessions in the table', 'growth-sessions', 'Cost of a call as the table fills', bySessions),
  )

  const byApps = new Map<number, Map<Kind, number>>()
  await withApps(appSizes, (size, medians) => {
    byApps.set(size, medians)
    progress(`${size} apps`)
  })
  say(...callTable('apps', 'growth-apps', 'Cost of a call as apps are added, calls going round them', byApps))
  say(...(await listTable()))
  say(...(await replicaTable()))
  return parts.join('\n\n')
}

const progress = (what: string) => process.stderr.write(`growth: ${what} measured\n`)

function callTable(
  what: string,
  picture: string,
  title: string,
  sizes: ReadonlyMap<number, ReadonlyMap<Kind, number>>,
): string[] {
  const labels = [...(sizes.values().next().value?.keys() ?? [])]
  const chart = lineChart(
    title,
    { label: what, logarithmic: true },
    { label: 'p50, ms' },
    labels.map((label) => ({
      label,
      points: [...sizes].map(([x, medians]) => ({ x, y: medians.get(label) ?? Number.NaN })),
    })),
  )
  return [
    `| ${what} | ${labels.join(' | ')} |`,
    `|---|${labels.map(() => '---|').join('')}`,
    ...[...sizes].map(
      ([size, medians]) =>
        `| ${size.toLocaleString('en')} | ${labels.map((label) => medians.get(label)?.toFixed(2)).join(' | ')} |`,
    ),
    '',
    `![p50 by ${what}](${drawing(picture, chart)})`,
  ]
}

async function listTable(): Promise<string[]> {
  const rows = await withLists(listMultiples)
  if (rows === null) return ['Lists: skipped, the published lists are not here (KYC_SHARED_DIR).']
  progress('lists')
  const chart = lineChart(
    'Screening one name as the lists grow',
    { label: 'names in the lists' },
    { label: 'ms' },
    (['p50', 'p95'] as const).map((label) => ({
      label,
      points: rows.map((row) => ({ x: row.names, y: row[label] })),
    })),
  )
  return [
    '| lists | names | index built, s | screening p50 ms | p95 ms |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ times, names, buildSeconds, p50, p95 }) =>
        `| × ${times} | ${names.toLocaleString('en')} | ${buildSeconds.toFixed(1)} | ${p50.toFixed(2)} | ${p95.toFixed(2)} |`,
    ),
    '',
    `![screening by names in the lists](${drawing('growth-lists', chart)})`,
  ]
}

async function replicaTable(): Promise<string[]> {
  if (!rabbitmqIsInstalled()) return ['Replicas: skipped, no rabbitmq-server is installed.']
  const rows: ReplicaGrowth[] = []
  await withReplicas(mostReplicas, (row) => {
    rows.push(row)
    progress(`${row.replicas} replicas`)
  })
  const decided = ({ load }: ReplicaGrowth) => load.decided / load.seconds
  const chart = lineChart(
    'Replicas of every service on one machine',
    { label: 'replicas of each of the eight services' },
    { label: 'a second, or ms' },
    [
      {
        label: 'sessions decided a second',
        points: rows.map((row) => ({ x: row.replicas, y: decided(row) })),
      },
      {
        label: 'CPU ms a session, all services',
        points: rows.map((row) => ({ x: row.replicas, y: row.cpuMsPerSession })),
      },
    ],
  )
  return [
    'Replicas share the cores of this machine, so that their number adds no capacity here: what can be seen is what each one more costs, and that none stands in the way of another.',
    '',
    '| replicas of each service | decided a second | submit to webhook p50 ms | p95 ms | CPU ms a session, all services | failed |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.replicas} | ${decided(row).toFixed(1)} | ${percentile(row.load.latencies, 0.5).toFixed(0)} | ${percentile(row.load.latencies, 0.95).toFixed(0)} | ${row.cpuMsPerSession.toFixed(1)} | ${row.load.failures.length} |`,
    ),
    '',
    `![sessions a second by replicas](${drawing('growth-replicas', chart)})`,
  ]
}
