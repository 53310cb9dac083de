import pg from 'pg'
import { type DeployedService, type Deployment, startDeployment } from '../../support/deployment.ts'
import { startReceiver } from '../../support/receiver.ts'
import { type Sample, startSampler } from './sampler.ts'
import { runSessions, type SessionLoad } from './session-load.ts'

export type Soak = {
  minutes: number
  /** Sessions per second that were decided and delivered, measured before at full speed. */
  capacity: number
  load: SessionLoad
  /** By service, sampled during the whole run. */
  series: ReadonlyMap<DeployedService, readonly Sample[]>
  /** Open connections to PostgreSQL and RabbitMQ, after warm-up and at the end. */
  database: readonly [number, number]
  broker: readonly [number, number]
}

const clients = 12
const sampleEveryMs = 2_000

/**
 * Every service as a separate process under half of the capacity just measured, for `minutes`. `onMinute` receives
 * the state of the processes; `signal` ends the load early, and the results until then are returned.
 */
export async function soak(options: {
  minutes: number
  warmUpSeconds: number
  onMinute?: (minute: number, series: Soak['series']) => void
  signal?: AbortSignal
}): Promise<Soak> {
  const receiver = await startReceiver({ keep: false })
  const deployment = await startDeployment({ durable: { max_connections: '200' } })
  try {
    const app = await deployment.createApp(receiver.url)
    receiver.useSecret(app.webhook_secret)
    const target = { baseUrl: deployment.baseUrl, apiKey: app.api_key, receiver }
    const full = await runSessions({ ...target, clients, seconds: options.warmUpSeconds })
    const capacity = full.decided / full.seconds
    const before = [await databaseConnections(deployment), await brokerConnections(deployment)] as const
    const sampler = startSampler(deployment, sampleEveryMs)
    let minute = 0
    const minutes = setInterval(() => options.onMinute?.(++minute, sampler.series), 60_000)
    // Twice the clients at half the rate, so that a client waiting for a response does not delay another.
    const load = await runSessions({
      ...target,
      clients: 2 * clients,
      seconds: options.minutes * 60,
      perSecond: capacity / 2,
      ...(options.signal ? { signal: options.signal } : {}),
    }).finally(() => {
      clearInterval(minutes)
      sampler.stop()
    })
    return {
      minutes: load.seconds / 60,
      capacity,
      load,
      series: sampler.series,
      database: [before[0], await databaseConnections(deployment)],
      broker: [before[1], await brokerConnections(deployment)],
    }
  } finally {
    await deployment.stop()
    await receiver.close()
  }
}

async function databaseConnections({ databaseUrl }: Deployment): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await client.end()
  return rows[0]?.count ?? 0
}

const brokerConnections = async ({ broker }: Deployment): Promise<number> =>
  (await broker.ctl('--quiet', 'list_connections', 'pid')).split('\n').filter((line) => line.startsWith('<'))
    .length
