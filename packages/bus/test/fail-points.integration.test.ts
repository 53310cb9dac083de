import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type PooledDatabase, silentLogger } from '@kyc/runtime'
import { type RabbitmqNode, rabbitmqIsInstalled, startRabbitmq } from '@kyc/testing'
import { inbox, inProcessBus, rabbitmqBus } from '../src/index.ts'
import type { Doom } from './doomed-process.ts'
import { type Postgres, Received, startPostgres, type Transport, World } from './world.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = fileURLToPath(new URL('./doomed-process.ts', import.meta.url))

/** Runs the process until it kills itself with SIGKILL. */
async function runDoomed(doom: Doom): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=source', program, JSON.stringify(doom)],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
}

function describeFailPoints(name: string, startBroker: () => Promise<RabbitmqNode | null>): void {
  describe(`a process killed on ${name}`, () => {
    let postgres: Postgres
    let broker: RabbitmqNode | null
    let world: World
    let transport: Transport

    beforeAll(async () => {
      postgres = await startPostgres()
      broker = await startBroker()
    }, 120_000)
    beforeEach(async () => {
      let queues: PooledDatabase | undefined
      transport = {
        async createBus({ scope }) {
          if (broker) return rabbitmqBus({ url: broker.url, service: scope, logger: silentLogger })
          queues = await postgres.open(`bus_${scope}`)
          return inProcessBus({ database: queues, logger: silentLogger })
        },
        close: async () => queues?.close(),
      }
      world = await World.create(transport, postgres)
    })
    afterEach(async () => {
      await world.close()
      await transport.close()
    })
    afterAll(async () => {
      await broker?.stop()
      await postgres?.stop()
    }, 60_000)

    test.each([
      { point: 'commit', line: 'between commit and publish', deliveries: 1 },
      { point: 'publish', line: 'between publish and marking the outbox row', deliveries: 2 },
      { point: 'effect', line: 'between effect and ack', deliveries: 1 },
    ] as const)(
      '$line loses nothing, and the effect happens once',
      async ({ point, deliveries }) => {
        const { url: databaseUrl } = postgres
        const { schema } = world.database
        await runDoomed({
          databaseUrl,
          schema,
          scope: world.scope,
          brokerUrl: broker?.url ?? null,
          point,
        })

        const delivered = new Received<string>()
        const bus = await world.bus()
        bus.subscribe(world.changed, {
          service: world.scope,
          async handle({ id }) {
            await world.database.transaction(async (tx) => {
              if (await inbox.claim(tx, world.scope, id))
                await tx.query('INSERT INTO effect VALUES ($1)', [id])
            })
            delivered.add(id)
          },
        })
        await bus.start()
        await world.relay(bus)
        // Messages that the killed process published, or had not marked as sent, are delivered again.
        const ids = await delivered.count(deliveries)
        await bus.drain()
        expect(new Set(ids).size).toBe(1)
        expect(delivered.items).toHaveLength(deliveries)
        const { rows } = await world.database.query<{ message_id: string }>('SELECT message_id FROM effect')
        expect(rows).toEqual([{ message_id: ids[0] }])
        const left = await world.database.query('SELECT 1 FROM outbox WHERE sent_at IS NULL')
        expect(left.rowCount).toBe(0)
      },
      60_000,
    )
  })
}

describeFailPoints('the in-process transport', async () => null)
if (rabbitmqIsInstalled()) describeFailPoints('RabbitMQ', startRabbitmq)
else {
  process.stdout.write('skipped: a process killed on RabbitMQ (rabbitmq-server is not installed)\n')
  test.skip('a process killed on RabbitMQ (needs an installed rabbitmq-server)', () => undefined)
}
