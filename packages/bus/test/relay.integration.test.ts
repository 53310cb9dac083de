import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { type OutboxLag, OutboxRelay, type OutgoingMessage, type PublishOutcome } from '../src/index.ts'
import { gate, type Postgres, Received, startPostgres, World } from './world.ts'

let postgres: Postgres
let world: World
let now: number

beforeAll(async () => {
  postgres = await startPostgres()
}, 120_000)
beforeEach(async () => {
  const noBus = () => Promise.reject(new Error('the relay is tested on its own'))
  world = await World.create({ createBus: noBus, close: async () => {} }, postgres)
  now = Date.parse('2030-01-01T00:00:00Z')
  world.clock = { now: () => new Date(now) }
})
afterEach(() => world.close())
afterAll(() => postgres?.stop())

type Publish = (messages: readonly OutgoingMessage[]) => Promise<PublishOutcome[]>

const relayTo = (publish: Publish, options: { batchSize?: number; leaseMs?: number } = {}) =>
  new OutboxRelay({
    database: world.database,
    bus: { publish, attach() {} },
    logger: silentLogger,
    clock: { now: () => new Date(now) },
    ...options,
  })

const numbers = (messages: readonly OutgoingMessage[]) =>
  messages.map(({ payload }) => (JSON.parse(payload) as { number: number }).number)

test('a key’s later event is not published before its earlier one is confirmed', async () => {
  const batches: number[][] = []
  let fail = true
  const relay = relayTo(async (messages) => {
    batches.push(numbers(messages))
    const outcome = fail ? 'failed' : 'sent'
    fail = false
    return messages.map(({ orderingKey }) => (orderingKey === 'a' ? outcome : 'sent'))
  })
  await world.append(1, { orderingKey: 'a' })
  await world.append(2, { orderingKey: 'a' })
  await world.append(3, { orderingKey: 'b' })
  await world.append(4)
  await relay.flush()

  expect(batches).toEqual([[1, 3, 4], [1], [2]])
})

test('two relays never lease the same row and together publish every row', async () => {
  const sent: number[] = []
  const publish: Publish = async (messages) => {
    await new Promise((next) => setImmediate(next))
    sent.push(...numbers(messages))
    return messages.map(() => 'sent')
  }
  for (let number = 0; number < 60; number++) await world.append(number, { orderingKey: `k${number % 7}` })
  const relays = [relayTo(publish, { batchSize: 3 }), relayTo(publish, { batchSize: 3 })]
  const counts = await Promise.all(relays.map((relay) => relay.flush()))

  // A relay may finish while the other still leases the rows that block the rest. One more flush finds them.
  const rest = await relayTo(publish).flush()
  expect((counts[0] ?? 0) + (counts[1] ?? 0) + rest).toBe(60)
  expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, number) => number))
  for (let key = 0; key < 7; key++) {
    const ofKey = sent.filter((number) => number % 7 === key)
    expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b))
  }
})

test('no lock is held while a batch is published', async () => {
  const [publishing, release] = [gate(), gate()]
  const relay = relayTo(async (messages) => {
    publishing.open()
    await release.opened
    return messages.map(() => 'sent')
  })
  await world.append(1, { orderingKey: 'a' })
  const flushed = relay.flush()
  await publishing.opened
  await world.database.query('SELECT 1 FROM outbox FOR UPDATE NOWAIT')
  await world.append(2, { orderingKey: 'a' })
  release.open()
  expect(await flushed).toBe(2)
})

test('rows of a relay that died are reclaimed when its lease expires, not before', async () => {
  await world.append(1)
  const dead = relayTo(() => new Promise(() => {}), { leaseMs: 10_000 })
  void dead.flush()
  const leased = 'SELECT 1 FROM outbox WHERE leased_until IS NOT NULL'
  while ((await world.database.query(leased)).rowCount === 0);
  const successor = relayTo(async (messages) => messages.map(() => 'sent'))

  expect(await successor.flush()).toBe(0)
  await world.database.query(`UPDATE outbox SET leased_until = clock_timestamp() - interval '1 ms'`)
  expect(await successor.flush()).toBe(1)
})

test('an event without a queue is retried at growing intervals and delays nothing else', async () => {
  const tried: number[][] = []
  const relay = relayTo(async (messages) => {
    tried.push(numbers(messages))
    return numbers(messages).map((number) => (number === 1 ? 'unroutable' : 'sent'))
  })
  await world.append(1, { orderingKey: 'a' })
  await world.append(2, { orderingKey: 'a' })
  await relay.flush()
  expect(tried).toEqual([[1], [2]])

  await relay.flush()
  now += 1_000
  await relay.flush()
  now += 1_000
  await relay.flush()
  now += 1_000
  await relay.flush()
  expect(tried).toEqual([[1], [2], [1], [1]])
})

test('an event is published within milliseconds of its commit, with or without a notification', async () => {
  const sent = new Received<number>()
  const relay = relayTo(async (messages) => {
    for (const number of numbers(messages)) sent.add(number)
    return messages.map(() => 'sent')
  })
  await relay.start()
  const waits: number[] = []
  // The first event of a burst notifies; for the following ones the relay is already polling.
  for (let number = 1; number <= 10; number++) {
    await world.append(number)
    const committed = performance.now()
    await sent.count(number)
    waits.push(performance.now() - committed)
  }
  await relay.stop()
  // With neither, the regular poll would take 1,000 ms.
  expect(waits.toSorted((a, b) => a - b)[5]).toBeLessThan(200)
})

test('events that a flush failed to publish are republished, even if a wake-up arrived during the flush', async () => {
  const [publishing, release] = [gate(), gate()]
  const tried = new Received<number>()
  const relay = relayTo(async (messages) => {
    for (const number of numbers(messages)) tried.add(number)
    publishing.open()
    await release.opened
    return messages.map(() => (tried.items.length === 1 ? 'failed' : 'sent'))
  })
  await world.append(1)
  const flushed = relay.flush()
  await publishing.opened
  await relay.start()
  release.open()
  expect(await flushed).toBe(0)
  // No further commit happens, so nothing notifies the relay.
  try {
    expect(await tried.count(2)).toEqual([1, 1])
  } finally {
    await relay.stop()
  }
})

test('sent rows are deleted after their retention; unsent rows remain', async () => {
  const relay = relayTo(async (messages) =>
    numbers(messages).map((number) => (number === 1 ? 'sent' : 'unroutable')),
  )
  await world.append(1)
  await world.append(2)
  await relay.flush()
  now += 24 * 3_600_000
  expect(await relay.prune()).toBe(0)
  now += 1
  expect(await relay.prune()).toBe(1)
  expect((await world.database.query('SELECT 1 FROM outbox')).rowCount).toBe(1)
})

test('the lag reports how many rows are due and for how long', async () => {
  const relay = relayTo(async (messages) => messages.map(() => 'sent'))
  await world.append(1)
  await world.append(2, { delayMs: 60_000 })
  now += 5_000
  expect(await relay.lag()).toEqual({ pending: 1, oldestAgeSeconds: 5 } satisfies OutboxLag)
  await relay.flush()
  expect(await relay.lag()).toEqual({ pending: 0, oldestAgeSeconds: 0 })
})
