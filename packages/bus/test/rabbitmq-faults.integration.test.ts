import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { UnavailableError } from '@kyc/common'
import { silentLogger } from '@kyc/runtime'
import { type RabbitmqNode, rabbitmqIsInstalled, startRabbitmq } from '@kyc/testing'
import type { ConfirmChannel } from 'amqplib'
import { type Bus, rabbitmqBus } from '../src/index.ts'
import { keepConnected } from '../src/rabbitmq/connection.ts'
import { onChannel, subscribeWithEffectRow } from './by-hand.ts'
import { gate, type Postgres, Received, startPostgres, type Transport, World } from './world.ts'

const suite = rabbitmqIsInstalled() ? describe : describe.skip

suite('RabbitMQ faults (needs an installed rabbitmq-server)', () => {
  let postgres: Postgres
  let node: RabbitmqNode
  let world: World

  beforeAll(async () => {
    postgres = await startPostgres()
    node = await startRabbitmq()
  }, 120_000)
  beforeEach(async () => {
    const createBus: Transport['createBus'] = async ({ scope, ...options }) =>
      rabbitmqBus({ url: node.url, service: scope, logger: silentLogger, ...options })
    world = await World.create({ createBus, close: async () => {} }, postgres)
  })
  afterEach(() => world.close())
  afterAll(async () => {
    await node?.stop()
    await postgres?.stop()
  }, 60_000)

  const subscribeWithEffect = (bus: Bus, effects: Received<number>) =>
    subscribeWithEffectRow(world, bus, effects)
  const byHand = <T>(work: (channel: ConfirmChannel) => Promise<T>) => onChannel(node.url, work)

  test('unreadable messages are parked with their reason and do not block the queue', async () => {
    const bus = await world.bus()
    const effects = new Received<number>()
    subscribeWithEffect(bus, effects)
    await bus.start()
    await world.relay(bus)
    const queue = `${world.scope}.${world.changed.name}`
    const type = world.changed.name
    await byHand(async (channel) => {
      const good = { type, persistent: true, headers: { version: 1 } }
      channel.sendToQueue(queue, Buffer.from('not JSON: Jane'), { ...good, messageId: 'not-json' })
      channel.sendToQueue(queue, Buffer.from([0xff, 0xfe, 0]), { ...good, messageId: 'not-text' })
      channel.sendToQueue(queue, Buffer.from('{"number":1}'), good)
      channel.sendToQueue(queue, Buffer.from('{"number":1}'), {
        ...good,
        messageId: 'no-type',
        type: undefined,
      })
      channel.sendToQueue(queue, Buffer.from('{"number":1}'), {
        ...good,
        messageId: 'no-version',
        headers: {},
      })
      channel.sendToQueue(queue, Buffer.from('{"number":1}'), {
        ...good,
        messageId: 'v99',
        headers: { version: 99 },
      })
      channel.sendToQueue(queue, Buffer.alloc(2_000_000, 'x'), { ...good, messageId: 'large' })
      channel.sendToQueue(queue, Buffer.from('{"number":7}'), { ...good, messageId: 'good' })
    })
    await effects.count(1)
    await bus.drain()

    const letters = await bus.deadLetters.list()
    expect(Object.fromEntries(letters.map(({ id, reason }) => [id, reason]))).toEqual({
      'not-json': 'unreadable',
      'not-text': 'unreadable',
      '': 'unreadable',
      'no-type': 'unreadable',
      'no-version': 'unknown_version',
      v99: 'unknown_version',
      large: 'unreadable',
    })
    expect(JSON.stringify(letters)).not.toContain('Jane')
    expect(effects.items).toEqual([7])
  })

  test('connections dropped by the broker under load lose and duplicate nothing', async () => {
    const bus = await world.bus()
    const effects = new Received<number>()
    subscribeWithEffect(bus, effects)
    bus.respond(world.double, async ({ number }) => ({ doubled: 2 * number }))
    await bus.start()
    await world.relay(bus)
    const total = 150
    const appended = (async () => {
      for (let number = 0; number < total; number++)
        await world.append(number, { orderingKey: `key ${number % 5}` })
    })()
    const asked: Promise<{ doubled: number }>[] = []
    for (let drop = 1; drop <= 3; drop++) {
      await effects.count(drop * 25)
      asked.push(bus.request(world.double, { number: drop }, { deadlineMs: 30_000 }))
      await node.ctl('close_all_connections', 'test')
      asked.push(bus.request(world.double, { number: 10 * drop }, { deadlineMs: 30_000 }))
    }
    await appended
    await effects.count(total)
    await bus.drain()

    expect((await Promise.all(asked)).map(({ doubled }) => doubled)).toEqual([2, 20, 4, 40, 6, 60])
    expect((await world.database.query('SELECT message_id FROM effect')).rowCount).toBe(total)
    expect(new Set(effects.items).size).toBe(total)
    expect(await bus.deadLetters.list()).toEqual([])
  }, 180_000)

  test('a setup that the broker does not complete is retried on another connection', async () => {
    let tries = 0
    const connection = await keepConnected(
      'a test',
      { url: node.url, logger: silentLogger, setupWithinMs: 200 },
      async (model) => {
        await model.createChannel()
        // As for a queue without a leader, no reply comes.
        if (++tries === 1) await new Promise<never>(() => undefined)
      },
    )
    await connection.waitForConnect()
    expect(tries).toBe(2)
    await connection.close()
  })

  test('a broker that is killed and restarted loses no confirmed message', async () => {
    const bus = await world.bus()
    const effects = new Received<number>()
    subscribeWithEffect(bus, effects)
    await bus.start()
    await world.relay(bus)
    const total = 200
    for (let number = 0; number < total / 2; number++) await world.append(number)
    await effects.count(10)
    await node.kill()
    for (let number = total / 2; number < total; number++) await world.append(number)
    expect(bus.health().connected).toBe(false)
    await node.restart()
    await effects.count(total)
    await bus.drain()

    expect((await world.database.query('SELECT message_id FROM effect')).rowCount).toBe(total)
    expect(bus.health()).toEqual({ connected: true, blocked: false })
  }, 180_000)

  test('inspecting the queues and closing the bus do not wait for a broker that is down', async () => {
    const bus = await world.bus()
    subscribeWithEffect(bus, new Received<number>())
    await bus.start()
    expect(await bus.depths()).toMatchObject([{ ready: 0 }])
    await node.kill()
    try {
      while (bus.health().connected) await nextTurn()
      await expect(bus.depths()).rejects.toBeInstanceOf(UnavailableError)
      await expect(bus.deadLetters.list()).rejects.toBeInstanceOf(UnavailableError)
      await bus.close()
    } finally {
      await node.restart()
    }
  }, 60_000)

  test('while an alarm blocks publishing, commits continue, requests fail immediately, and consumers drain', async () => {
    const blocked: boolean[] = []
    const [isBlocked, isFree, started, release] = [gate(), gate(), gate(), gate()]
    const effects = new Received<number>()
    const bus = await world.bus({
      hooks: {
        onBlocked(value) {
          blocked.push(value)
          if (value) isBlocked.open()
          else isFree.open()
        },
      },
    })
    bus.subscribe(world.changed, {
      service: world.scope,
      async handle({ payload }) {
        started.open()
        await release.opened
        effects.add(payload.number)
      },
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await started.opened
    await node.ctl('set_disk_free_limit', '1000000GB')
    await world.append(2)
    await isBlocked.opened
    expect(bus.health().blocked).toBe(true)
    const startedAt = performance.now()
    await expect(bus.request(world.double, { number: 1 })).rejects.toBeInstanceOf(UnavailableError)
    await world.append(3)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    release.open()
    expect(await effects.count(1)).toEqual([1])

    await node.ctl('set_disk_free_limit', '64MB')
    await isFree.opened
    await effects.count(3)
    await bus.drain()
    expect(new Set(effects.items)).toEqual(new Set([1, 2, 3]))
    expect(blocked).toEqual([true, false])
  }, 120_000)

  test('an event waits in the outbox until its first subscriber is deployed', async () => {
    let now = Date.now()
    world.clock = { now: () => new Date(now) }
    const publishing = await world.bus()
    await publishing.start()
    const relay = await world.relay(publishing)
    await world.append(1, { orderingKey: 'one' })
    await relay.flush()
    // It does not delay the events after it.
    expect(
      (await world.database.query('SELECT 1 FROM outbox WHERE sent_at IS NULL AND attempts = 1')).rowCount,
    ).toBe(1)

    const subscribing = await world.bus()
    const effects = new Received<number>()
    subscribeWithEffect(subscribing, effects)
    await subscribing.start()
    now += 60_000
    await relay.flush()
    expect(await effects.count(1)).toEqual([1])
  })

  test('a request during a rolling restart is answered by the next replica', async () => {
    const respond = (bus: Bus) => bus.respond(world.double, async ({ number }) => ({ doubled: 2 * number }))
    const first = await world.bus()
    respond(first)
    await first.start()
    const asking = await world.bus()
    await asking.start()
    await first.close()
    const answer = asking.request(world.double, { number: 8 }, { deadlineMs: 20_000 })
    const second = await world.bus()
    respond(second)
    await second.start()
    expect(await answer).toEqual({ doubled: 16 })
  })

  test('the request of a responder that dies goes to another replica', async () => {
    const first = await world.bus({ closeTimeoutMs: 20 })
    const taken = gate()
    first.respond(world.double, () => {
      taken.open()
      return new Promise(() => {})
    })
    await first.start()
    const asking = await world.bus()
    await asking.start()
    const answer = asking.request(world.double, { number: 8 }, { deadlineMs: 20_000 })
    await taken.opened
    await first.close()
    const second = await world.bus()
    second.respond(world.double, async ({ number }) => ({ doubled: 2 * number }))
    await second.start()
    expect(await answer).toEqual({ doubled: 16 })
  })

  test('a queue that was deleted manually is declared again', async () => {
    const bus = await world.bus()
    const effects = new Received<number>()
    subscribeWithEffect(bus, effects)
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await effects.count(1)
    await byHand((channel) => channel.deleteQueue(`${world.scope}.${world.changed.name}`))
    let now = Date.now()
    world.clock = { now: () => new Date(now) }
    await world.append(2)
    // An event published while the queue was missing waits in the outbox for its next attempt.
    while (effects.items.length < 2) {
      now += 1_000
      await bus.drain().catch(() => {})
    }
    expect(effects.items).toEqual([1, 2])
  })

  test('a message that is redelivered without end is parked by the broker with that reason', async () => {
    const bus = await world.bus()
    const effects = new Received<number>()
    subscribeWithEffect(bus, effects)
    await bus.start()
    await bus.close()
    const queue = `${world.scope}.${world.changed.name}`
    await byHand(async (channel) => {
      const options = {
        messageId: 'loop',
        type: world.changed.name,
        persistent: true,
        headers: { version: 1 },
      }
      channel.sendToQueue(queue, Buffer.from('{"number":1}'), options)
      await channel.waitForConfirms()
      // Like 21 processes that each died while handling the message.
      for (;;) {
        const message = await channel.get(queue)
        if (!message) break
        channel.nack(message)
      }
    })
    const next = await world.bus()
    subscribeWithEffect(next, effects)
    await next.start()
    let letters = await next.deadLetters.list()
    while (letters.length === 0) letters = await next.deadLetters.list()
    expect(letters).toEqual([expect.objectContaining({ id: 'loop', reason: 'delivery_limit' })])
    expect(effects.items).toEqual([])
  })
})
