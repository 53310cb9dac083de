import pg from 'pg'
import { type DeployedService, type Deployment, startDeployment } from '../../support/deployment.ts'
import { startReceiver } from '../../support/receiver.ts'
import { type Sample, startSampler } from './sampler.ts'
import { runSessions, type SessionLoad } from './session-load.ts'

export type Soak = {
  minutes: number
  /** Sessions decided and told in a second, measured before, as fast as they went. */
  capacity: number
  load: SessionLoad
  /** By service, sampled through all of it. */
  series: ReadonlyMap<DeployedService, readonly Sample[]>
  /** Open connections once warm and at the end: to PostgreSQL, to RabbitMQ. */
  database: readonly [number, number]
  broker: readonly [number, number]
}

const clients = 12
const sampleEveryMs = 2_000

/**
 * Every service as a process of its own under half of what it was just seen to carry, for so many minutes. `onMinute` is told of the
 * processes as they are; `signal` ends the load early, and what was measured until then is returned.
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
    // Twice the clients at half the rate: one that waits for an answer holds up no other.
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
