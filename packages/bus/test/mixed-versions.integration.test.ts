import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defineEvent } from '@kyc/common'
import { openDatabase, type PooledDatabase, silentLogger } from '@kyc/runtime'
import {
  createTestDatabase,
  type RabbitmqNode,
  rabbitmqIsInstalled,
  startRabbitmq,
  type TestDatabase,
} from '@kyc/testing'
import { z } from 'zod'
import { type Bus, busTablesSql, createOutbox, OutboxRelay, rabbitmqBus } from '../src/index.ts'

/** The same event before and after a release that changed it. */
const before = defineEvent('example.changed', 1, z.object({ total: z.int() }))
const after = defineEvent('example.changed', 2, z.object({ amount: z.int(), currency: z.string() }))

const installed = rabbitmqIsInstalled()
if (!installed)
  process.stdout.write('skipped: two versions on one broker (rabbitmq-server is not installed)\n')

;(installed ? describe : describe.skip)('a rolling upgrade, the old and the new version at once', () => {
  let node: RabbitmqNode
  let testDatabase: TestDatabase
  let database: PooledDatabase
  let scope = 0
  beforeAll(async () => {
    ;[node, testDatabase] = await Promise.all([startRabbitmq(), createTestDatabase()])
    database = await openDatabase({ url: testDatabase.url, schema: 'example', logger: silentLogger })
    await database.query(busTablesSql)
  }, 120_000)
  afterAll(async () => {
    await database?.close()
    await testDatabase?.drop()
    await node?.stop()
  })

  /** A consuming service whose replicas are of the old version, the new one, or both. */
  async function consumers(versions: readonly ('old' | 'new')[]) {
    const service = `consumer_${++scope}`
    const handled: { by: 'old' | 'new'; version: 1 | 2; value: number }[] = []
    const buses: Bus[] = []
    for (const by of versions) {
      const bus = rabbitmqBus({ url: node.url, service, logger: silentLogger })
      bus.subscribe(before, {
        service,
        prefetch: 1,
        handle: async ({ payload }) => void handled.push({ by, version: 1, value: payload.total }),
      })
      if (by === 'new')
        bus.subscribe(after, {
          service,
          prefetch: 1,
          handle: async ({ payload }) => void handled.push({ by, version: 2, value: payload.amount }),
        })
      await bus.start()
      buses.push(bus)
    }
    return {
      handled,
      queue: `${service}.example.changed`,
      bus: buses[0] as Bus,
      stop: async () => void (await Promise.all(buses.map((bus) => bus.close()))),
    }
  }

  /** Publishes events as a producer of that version, through the relay. */
  async function say(version: 'old' | 'new', values: readonly number[]): Promise<void> {
    const bus = rabbitmqBus({ url: node.url, service: 'producer', logger: silentLogger })
    const relay = new OutboxRelay({ database, bus, logger: silentLogger })
    const outbox = createOutbox()
    await bus.start()
    await database.transaction(async (tx) => {
      for (const value of values) {
        if (version === 'old') await outbox.append(tx, before, { total: value })
        else await outbox.append(tx, after, { amount: value, currency: 'EUR' })
      }
    })
    await relay.flush()
    await bus.close()
  }

  const until = async (holds: () => boolean | Promise<boolean>) => {
    const deadline = Date.now() + 30_000
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error('it did not come to that')
      await new Promise((resume) => setTimeout(resume, 20))
    }
  }

  test('consumers upgraded first: events of both producer versions are handled once, and none is parked', async () => {
    const replicas = await consumers(['old', 'new'])
    await say('old', [1, 2, 3, 4, 5, 6])
    await until(() => replicas.handled.length === 6)
    expect(new Set(replicas.handled.map(({ by }) => by))).toEqual(new Set(['old', 'new']))
    expect(await replicas.bus.deadLetters.list()).toEqual([])
    await replicas.stop()

    const upgraded = await consumers(['new', 'new'])
    await say('old', [7])
    await say('new', [8, 9])
    await until(() => upgraded.handled.length === 3)
    expect(upgraded.handled.map(({ version, value }) => [version, value]).sort()).toEqual([
      [1, 7],
      [2, 8],
      [2, 9],
    ])
    expect(await upgraded.bus.deadLetters.list()).toEqual([])
    await upgraded.stop()
  }, 90_000)

  test('producers upgraded first (the wrong order): nothing is lost, events stay parked until they are replayed', async () => {
    const replicas = await consumers(['old'])
    await say('new', [10])
    await say('old', [11])
    await until(() => replicas.handled.length === 1)
    const parked = async () => replicas.bus.deadLetters.list()
    await until(async () => (await parked()).length === 1)
    expect(replicas.handled).toEqual([{ by: 'old', version: 1, value: 11 }])
    expect(await parked()).toMatchObject([{ reason: 'unknown_version', event: 'example.changed' }])
    await replicas.stop()

    // The upgrade that should have come first, on the same queue.
    scope--
    const upgraded = await consumers(['new'])
    expect(upgraded.queue).toBe(replicas.queue)
    expect(await upgraded.bus.deadLetters.replay({ queue: upgraded.queue })).toBe(1)
    await until(() => upgraded.handled.length === 1)
    expect(upgraded.handled).toEqual([{ by: 'new', version: 2, value: 10 }])
    await upgraded.stop()
  }, 90_000)
})
