import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'amqplib'
import pg from 'pg'
import { type Cluster, type ServiceName, serviceNames } from './cluster.ts'
import { hostilities } from './hostile-receiver.ts'

export type Fault = {
  name: string
  /** Description for the report. */
  what: string
  /** Injects the fault and ends it. Returns how many messages must be parked afterwards. */
  strike(cluster: Cluster, random: () => number): Promise<number>
}

const killed = (service: ServiceName): Fault => ({
  name: `kill-${service}`,
  what: `SIGKILL of ${service}`,
  strike: async (cluster, random) => {
    await cluster.kill(service)
    await delay(random() * 1_000)
    await cluster.restart(service)
    return 0
  },
})

const hostile: readonly Fault[] = hostilities.map((hostility) => ({
  name: `receiver-${hostility.replaceAll('_', '-')}`,
  what: `a receiver that ${hostility.replaceAll('_', ' ')}`,
  strike: async ({ receiver }, random) => {
    receiver.become(hostility)
    await delay(1_500 + random() * 2_000)
    receiver.become('ok')
    return 0
  },
}))

/** Publishes unreadable messages to the queue of every event that carries a decision. */
async function poison(url: string): Promise<number> {
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  const bad: [Buffer, object][] = [
    [Buffer.from('not JSON'), { headers: { version: 1 } }],
    [Buffer.from('{"session_id":1}'), { headers: { version: 1 } }],
    [Buffer.from('{}'), { headers: { version: 99 } }],
    [Buffer.alloc(20_000_000, '{'), { headers: { version: 1 } }],
  ]
  const queues = ['session.check.completed', 'webhook-dispatcher.session.status_changed']
  for (const queue of queues) {
    const type = queue.slice(queue.indexOf('.') + 1)
    for (const [content, properties] of bad)
      channel.sendToQueue(queue, content, { persistent: true, messageId: randomUUID(), type, ...properties })
  }
  await channel.waitForConfirms()
  await connection.close()
  return queues.length * bad.length
}

/** Every outbox republishes a third of its published messages: duplicates, late and out of order. */
async function repeatEvents(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const schemas = ['session', 'checks', 'face_biometrics', 'sanctions_screening', 'console']
  for (const schema of schemas)
    await client.query(
      `UPDATE ${schema}.outbox SET sent_at = NULL, ordering_key = NULL
       WHERE sent_at IS NOT NULL AND name NOT LIKE '%status_changed' AND random() < 0.3`,
    )
  await client.query(
    `UPDATE session.outbox SET sent_at = NULL WHERE name = 'session.status_changed' AND random() < 0.3`,
  )
  await client.end()
}

export const faults: readonly Fault[] = [
  ...serviceNames.map(killed),
  {
    name: 'kill-rabbitmq',
    what: 'SIGKILL of RabbitMQ',
    strike: async ({ broker }, random) => {
      await broker.kill()
      await delay(random() * 2_000)
      await broker.restart()
      return 0
    },
  },
  {
    name: 'kill-postgres',
    what: 'SIGKILL of PostgreSQL, crash recovery',
    strike: async (cluster) => {
      await cluster.killDatabase()
      return 0
    },
  },
  {
    name: 'stop-postgres',
    what: 'PostgreSQL stopped (fast) for 5 to 15 s, and back at another address',
    strike: async (cluster, random) => {
      await cluster.stopDatabase()
      await delay(5_000 + random() * 10_000)
      await cluster.startDatabase()
      return 0
    },
  },
  {
    name: 'cut-postgres',
    what: 'every database connection reset',
    strike: async (cluster) => {
      cluster.cutDatabase()
      return 0
    },
  },
  {
    name: 'cut-broker',
    what: 'every broker connection reset in mid-publish, three times',
    strike: async (cluster, random) => {
      for (let time = 0; time < 3; time++) {
        cluster.cutBroker()
        await delay(300 + random() * 700)
      }
      return 0
    },
  },
  {
    name: 'close-broker-connections',
    what: 'connections closed by the broker',
    strike: async ({ broker }) => {
      await broker.ctl('close_all_connections', 'fault')
      return 0
    },
  },
  {
    name: 'disk-alarm',
    what: 'disk-free alarm of RabbitMQ',
    strike: async ({ broker }, random) => {
      await broker.ctl('set_disk_free_limit', '1000000GB')
      await delay(1_000 + random() * 2_000)
      await broker.ctl('set_disk_free_limit', '64MB')
      return 0
    },
  },
  {
    name: 'memory-alarm',
    what: 'memory alarm of RabbitMQ',
    strike: async ({ broker }, random) => {
      await broker.ctl('set_vm_memory_high_watermark', 'absolute', '1MB')
      await delay(1_000 + random() * 2_000)
      await broker.ctl('set_vm_memory_high_watermark', 'absolute', '512MB')
      return 0
    },
  },
  {
    name: 'delete-queue',
    what: 'a queue deleted by a person',
    strike: async ({ broker }) => {
      await broker.ctl('delete_queue', 'session.check.completed')
      return 0
    },
  },
  {
    name: 'poison',
    what: 'messages that are not JSON, of a wrong schema, of version 99, of 20 MB',
    strike: ({ brokerUrl }) => poison(brokerUrl),
  },
  {
    name: 'repeat',
    what: 'a third of all events published again, late and out of order',
    strike: async (cluster, random) => {
      await delay(random() * 1_000)
      await repeatEvents(cluster.databaseUrl())
      return 0
    },
  },
  ...(['session', 'webhook-dispatcher', 'checks'] as const).map(
    (service): Fault => ({
      name: `freeze-${service}`,
      what: `${service} stopped (SIGSTOP) for 3 to 6 s and continued`,
      strike: async (cluster, random) => {
        cluster.signal(service, 'SIGSTOP')
        await delay(3_000 + random() * 3_000)
        cluster.signal(service, 'SIGCONT')
        return 0
      },
    }),
  ),
  ...hostile,
]
