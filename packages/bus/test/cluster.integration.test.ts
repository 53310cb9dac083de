import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defineEvent, defineRequest } from '@kyc/common'
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
const double = defineRequest(
  'example.double',
  1,
  z.object({ number: z.int() }),
  z.object({ doubled: z.int() }),
  { deadline_ms: 5_000 },
)
const eventsPerPhase = 200

const installed = rabbitmqIsInstalled()
if (!installed) process.stdout.write('skipped: a cluster of RabbitMQ (rabbitmq-server is not installed)\n')

/** A load balancer for the cluster: a new connection goes to the next node. */
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
      if (service === 'consumer') {
        bus.respond(double, async ({ number }) => ({ doubled: 2 * number }))
        bus.subscribe(changed, {
          service,
          prefetch: 10,
          handle: ({ id, payload }) =>
            database.transaction(async (tx) => {
              if (await inbox.claim(tx, 'consumer.example.changed', id))
                await tx.query('INSERT INTO effect VALUES ($1)', [payload.number])
            }),
        })
      }
      await bus.start()
      buses.push(bus)
    }
    relay = new OutboxRelay({ database, bus: buses.at(-1) as Bus, logger: silentLogger })
    await relay.start()
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
  /** Commits events. Each must have its effect exactly once, whatever happens to the broker meanwhile. */
  const say = async () => {
    for (let event = 0; event < eventsPerPhase; event++) {
      const number = next++
      await database.transaction((tx) => outbox.append(tx, changed, { number }))
    }
  }
  const until = async (holds: () => Promise<boolean>, otherwise: () => string) => {
    const deadline = Date.now() + 90_000
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(otherwise())
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }
  const untilAllHadTheirEffect = async () => {
    let had = 0
    const holds = async () => {
      const { rows } = await database.query<{ effects: number; numbers: number }>(
        'SELECT count(*)::int AS effects, count(DISTINCT number)::int AS numbers FROM effect',
      )
      const { effects = 0, numbers = 0 } = rows[0] ?? {}
      expect(effects).toBe(numbers)
      had = numbers
      return numbers === next
    }
    await until(holds, () => `${had} of ${next} events had their effect`)
  }
  /** While the node of its queue is down, a request is rejected or times out. */
  const untilRequestsAreAnswered = async () => {
    let last: unknown
    const answered = async () => {
      try {
        return (await buses.at(-1)?.request(double, { number: 21 }))?.doubled === 42
      } catch (error) {
        last = error
        return false
      }
    }
    await until(answered, () => `no answer, but ${last}`)
  }
  type Queue = { name: string; type: string; members: string[]; online: string[] }
  const quorumQueues = async (): Promise<Queue[]> => {
    const columns = ['name', 'type', 'members', 'online']
    const listed = await cluster.nodes[0]?.ctl('--quiet', 'list_queues', ...columns, '--formatter', 'json')
    return (JSON.parse(listed ?? '[]') as Queue[]).filter(({ type }) => /quorum/.test(type))
  }
  /** The condition that an operator waits for before restarting the next node. */
  const untilEveryMemberIsOnline = () =>
    until(
      async () => (await quorumQueues()).every(({ online }) => online.length === 3),
      () => 'not every queue has its three members online',
    )

  test('replicates every queue to three nodes', async () => {
    await say()
    await untilAllHadTheirEffect()
    await untilRequestsAreAnswered()
    const queues = await quorumQueues()
    expect(queues.map(({ name }) => name)).toContain('consumer.example.changed')
    for (const { members } of queues) expect(members).toHaveLength(3)
  }, 100_000)

  test.each([0, 1, 2])(
    'loses nothing when node %i is killed under load and when it returns',
    async (victim) => {
      const node = cluster.nodes[victim]
      const saying = say()
      await node?.kill()
      await saying
      await untilAllHadTheirEffect()
      await node?.restart()
      await say()
      await untilAllHadTheirEffect()
      await untilRequestsAreAnswered()
      await untilEveryMemberIsOnline()
    },
    400_000,
  )

  test('loses nothing when the next node is killed before the first is a full member again', async () => {
    const [first, second] = cluster.nodes
    await first?.kill()
    await say()
    await first?.restart()
    const saying = say()
    await second?.kill()
    await saying
    await untilAllHadTheirEffect()
    await second?.restart()
    await untilRequestsAreAnswered()
    await untilEveryMemberIsOnline()
  }, 400_000)

  test('events wait in the outbox while two nodes are down and continue when one is back', async () => {
    const [first, second] = cluster.nodes
    await Promise.all([first?.kill(), second?.kill()])
    await say()
    await first?.restart()
    await untilAllHadTheirEffect()
    await second?.restart()
    await untilRequestsAreAnswered()
  }, 400_000)
})
