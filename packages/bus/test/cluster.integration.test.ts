import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defineEvent } from '@kyc/common'
import { openDatabase, type PooledDatabase, silentLogger } from '@kyc/runtime'
import {
  createTestDatabase,
  type RabbitmqNode,
  rabbitmqIsInstalled,
  startRabbitmqCluster,
  type TestDatabase,
} from '@kyc/testing'
import { z } from 'zod'
import { type Bus, busTablesSql, createOutbox, inbox, OutboxRelay, rabbitmqBus } from '../src/index.ts'

const changed = defineEvent('example.changed', 1, z.object({ number: z.int() }))
const eventsPerPhase = 200

const installed = rabbitmqIsInstalled()
if (!installed) process.stdout.write('skipped: a cluster of RabbitMQ (rabbitmq-server is not installed)\n')

/** What stands before the nodes of a cluster: a new connection goes to the next node that takes it. */
async function startBalancer(nodes: readonly RabbitmqNode[]) {
  const ports = nodes.map(({ url }) => Number(new URL(url).port))
  const sockets = new Set<Socket>()
  let turn = 0
  const server: Server = createServer((client) => {
    const node = connect({ port: ports[turn++ % ports.length] ?? 0, host: '127.0.0.1' })
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `amqp://guest:guest@127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

;(installed ? describe : describe.skip)('three nodes of RabbitMQ behind one address', () => {
  let cluster: Awaited<ReturnType<typeof startRabbitmqCluster>>
  let balancer: Awaited<ReturnType<typeof startBalancer>>
  let testDatabase: TestDatabase
  let database: PooledDatabase
  const buses: Bus[] = []
  let relay: OutboxRelay
  const outbox = createOutbox()

  beforeAll(async () => {
    ;[cluster, testDatabase] = await Promise.all([
      startRabbitmqCluster(3, { cluster_partition_handling: 'pause_minority', heartbeat: '4' }),
      createTestDatabase(),
    ])
    balancer = await startBalancer(cluster.nodes)
    database = await openDatabase({ url: testDatabase.url, schema: 'example', logger: silentLogger })
    await database.query(`${busTablesSql}; CREATE TABLE effect (number int)`)
    for (const service of ['consumer', 'consumer', 'producer']) {
      const bus = rabbitmqBus({ url: balancer.url, service, logger: silentLogger })
      if (service === 'consumer')
        bus.subscribe(changed, {
          service,
          prefetch: 10,
          handle: ({ id, payload }) =>
            database.transaction(async (tx) => {
              if (await inbox.claim(tx, 'consumer.example.changed', id))
                await tx.query('INSERT INTO effect VALUES ($1)', [payload.number])
            }),
        })
      await bus.start()
      buses.push(bus)
    }
    relay = new OutboxRelay({ database, bus: buses.at(-1) as Bus, logger: silentLogger })
    relay.start()
  }, 240_000)
  afterAll(async () => {
    await relay?.stop()
    await Promise.all(buses.map((bus) => bus.close()))
    balancer?.close()
    await database?.close()
    await testDatabase?.drop()
    await cluster?.stop()
  }, 60_000)

  let next = 0
  /** Commits events; each is to have its effect once, whatever happens to the broker meanwhile. */
  const say = async () => {
    for (let event = 0; event < eventsPerPhase; event++) {
      const number = next++
      await database.transaction((tx) => outbox.append(tx, changed, { number }))
    }
  }
  const untilAllHadTheirEffect = async () => {
    const deadline = Date.now() + 90_000
    for (;;) {
      const { rows } = await database.query<{ effects: number; numbers: number }>(
        'SELECT count(*)::int AS effects, count(DISTINCT number)::int AS numbers FROM effect',
      )
      const { effects = 0, numbers = 0 } = rows[0] ?? {}
      expect(effects).toBe(numbers)
      if (numbers === next) return
      if (Date.now() > deadline) throw new Error(`${numbers} of ${next} events had their effect`)
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }

  test('hold every queue on three nodes', async () => {
    await say()
    await untilAllHadTheirEffect()
    const [first] = cluster.nodes
    const listed = await first?.ctl(
      '--quiet',
      'list_queues',
      'name',
      'type',
      'members',
      '--formatter',
      'json',
    )
    const queues = JSON.parse(listed ?? '[]') as { name: string; type: string; members: string[] }[]
    const queue = queues.find(({ name }) => name === 'consumer.example.changed')
    expect(queue?.type).toMatch(/quorum/)
    expect(queue?.members).toHaveLength(3)
  })

  test('lose nothing when one of them is killed under load, and when it comes back', async () => {
    const [first] = cluster.nodes
    const saying = say()
    await first?.kill()
    await saying
    await untilAllHadTheirEffect()
    await first?.restart()
    await say()
    await untilAllHadTheirEffect()
  }, 200_000)
})
