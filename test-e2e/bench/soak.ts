import { loadavg } from 'node:os'
import { rabbitmqIsInstalled } from '@kyc/testing'
import type { DeployedService } from '../support/deployment.ts'
import { drawing } from './support/drawing.ts'
import { lineChart } from './support/line-chart.ts'
import { type Sample, slope } from './support/sampler.ts'
import { percentile } from './support/session-load.ts'
import { type Soak, soak } from './support/soak-run.ts'

export const name = 'soak'

/**
 * Half the capacity that was just measured, for KYC_SOAK_MINUTES (2; a release needs 30), so that any growth becomes
 * visible.
 */
export async function run(): Promise<string> {
  if (!rabbitmqIsInstalled()) return '## soak\n\nSkipped: no rabbitmq-server is installed.'
  const ending = new AbortController()
  // If interrupted, the figures cover the minutes so far.
  process.once('SIGTERM', () => ending.abort())
  const result = await soak({
    minutes: Number(process.env.KYC_SOAK_MINUTES ?? 2),
    warmUpSeconds: 30,
    signal: ending.signal,
    onMinute: (minute, series) => {
      const memory = [...series].map(
        ([service, samples]) => `${service} ${samples.at(-1)?.memory.toFixed(0)}`,
      )
      process.stderr.write(`soak, minute ${minute}: MiB ${memory.join(', ')}\n`)
    },
  })
  return report(result)
}

function report({ minutes, capacity, load, series, database, broker }: Soak): string {
  const picture = drawing(
    'soak-memory',
    lineChart(
      'Memory of each service under half of the measured load',
      { label: 'minutes' },
      { label: 'resident, MiB' },
      [...series].map(([label, samples]) => ({ label, points: everyNth(samples, 60) })),
    ),
  )
  return [
    '## soak',
    '',
    `${minutes.toFixed(1)} minutes at ${(capacity / 2).toFixed(1)} sessions a second, half of the ${capacity.toFixed(1)} measured just before; services, RabbitMQ, PostgreSQL (every commit flushed), load and receiver share the machine (load average ${loadavg()[1]?.toFixed(1)}).`,
    `${load.decided} sessions decided and told, ${load.failures.length} failed; submit to webhook p50 ${percentile(load.latencies, 0.5).toFixed(0)} ms, p95 ${percentile(load.latencies, 0.95).toFixed(0)} ms.`,
    `Connections before and after: PostgreSQL ${database.join(' and ')}, RabbitMQ ${broker.join(' and ')}. The slope is that of the second half, when caches are full.`,
    '',
    '| service | memory MiB, most | first | last | slope MiB an hour | handles, first | last | most | CPU ms a session |',
    '|---|---|---|---|---|---|---|---|---|',
    ...[...series].map(([service, samples]) => line(service, samples, load.decided)),
    '',
    `![memory by minute](${picture})`,
    ...(load.failures.length > 0 ? ['', `First failure: ${load.failures[0]}`] : []),
  ].join('\n')
}

function line(service: DeployedService, samples: readonly Sample[], sessions: number): string {
  const [first, last] = [samples[0] as Sample, samples.at(-1) as Sample]
  const second = samples.slice(Math.floor(samples.length / 2))
  const most = (value: 'memory' | 'handles') => Math.max(...samples.map((sample) => sample[value])).toFixed(0)
  return `| ${service} | ${most('memory')} | ${first.memory.toFixed(0)} | ${last.memory.toFixed(0)} | ${(slope(second, 'memory') * 3_600).toFixed(1)} | ${first.handles} | ${last.handles} | ${most('handles')} | ${(((last.cpu - first.cpu) * 1000) / Math.max(1, sessions)).toFixed(1)} |`
}

/** At most `count` points, in minutes. */
const everyNth = (samples: readonly Sample[], count: number) =>
  samples
    .filter((_, index) => index % Math.max(1, Math.ceil(samples.length / count)) === 0)
    .map(({ at, memory }) => ({ x: at / 60, y: memory }))
