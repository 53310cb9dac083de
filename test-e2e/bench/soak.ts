import { rabbitmqIsInstalled } from '@kyc/testing'
import pg from 'pg'
import { type DeployedService, startDeployment } from '../support/deployment.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Sample, slope, startSampler } from './support/sampler.ts'
import { percentile, runSessions } from './support/session-load.ts'

export const name = 'soak'

const clients = 12

/** Half the capacity that was just measured, for KYC_SOAK_MINUTES (2): what grows, grows visibly. */
export async function run(): Promise<string> {
  if (!rabbitmqIsInstalled()) return '## soak\n\nSkipped: no rabbitmq-server is installed.'
  const minutes = Number(process.env.KYC_SOAK_MINUTES ?? 2)
  const receiver = await startReceiver()
  const deployment = await startDeployment()
  try {
    const app = await deployment.createApp(receiver.url)
    receiver.useSecret(app.webhook_secret)
    const options = { baseUrl: deployment.baseUrl, apiKey: app.api_key, receiver, clients }
    const full = await runSessions({ ...options, seconds: 15 })
    const capacity = full.decided / full.seconds
    const connectionsBefore = await connectionsOf(deployment.databaseUrl)
    const sampler = startSampler(deployment, 2_000)
    const soaked = await runSessions({ ...options, seconds: minutes * 60, perSecond: capacity / 2 })
    const series = sampler.stop()
    const connectionsAfter = await connectionsOf(deployment.databaseUrl)
    return [
      '## soak',
      '',
      `${minutes} minutes at ${(capacity / 2).toFixed(1)} sessions a second, half of the ${capacity.toFixed(1)} measured before. ${soaked.decided} sessions decided and told, ${soaked.failures.length} failed; submit to webhook p50 ${percentile(soaked.latencies, 0.5).toFixed(0)} ms, p95 ${percentile(soaked.latencies, 0.95).toFixed(0)} ms. Connections to PostgreSQL ${connectionsBefore} before, ${connectionsAfter} after. The slope is that of the second half, when caches are full.`,
      '',
      '| service | memory MiB, first | last | slope MiB a minute | handles, first | last | CPU ms a session |',
      '|---|---|---|---|---|---|---|',
      ...[...series].map(([service, samples]) => line(service, samples, soaked.decided)),
    ].join('\n')
  } finally {
    await deployment.stop()
    await receiver.close()
  }
}

function line(service: DeployedService, samples: readonly Sample[], sessions: number): string {
  const [first, last] = [samples[0] as Sample, samples.at(-1) as Sample]
  const second = samples.slice(Math.floor(samples.length / 2))
  return `| ${service} | ${first.memory.toFixed(0)} | ${last.memory.toFixed(0)} | ${(slope(second, 'memory') * 60).toFixed(2)} | ${first.handles} | ${last.handles} | ${(((last.cpu - first.cpu) * 1000) / Math.max(1, sessions)).toFixed(1)} |`
}

async function connectionsOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await client.end()
  return rows[0]?.count ?? 0
}
