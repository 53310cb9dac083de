import { expect, test } from '@jest/globals'
import { newTraceparent, traceIdOf } from '@kyc/runtime'
import { type EventMessage, inbox, TransientError } from '../../src/index.ts'
import type { Current } from '../contract-suite.ts'
import { gate, Received } from '../world.ts'

export function describeDelivery(current: Current): void {
  test('an event reaches every subscribing service once, unchanged', async () => {
    const { world } = current
    const traceparent = newTraceparent()
    const received = new Received<{ service: string; message: EventMessage }>()
    const bus = await world.bus()
    for (const service of ['first', 'second']) {
      bus.subscribe(world.changed, {
        service: `${world.scope}_${service}`,
        handle: async (message) => received.add({ service, message }),
      })
    }
    await bus.start()
    await world.relay(bus)
    const id = await world.database.transaction((tx) =>
      world.outbox.append(
        tx,
        world.changed,
        { number: 7, text: 'Łódź\u0000' },
        { orderingKey: 'k', correlationId: 'c-1', traceparent },
      ),
    )
    await received.count(2)
    await bus.drain()

    expect(received.items.map(({ service }) => service).sort()).toEqual(['first', 'second'])
    for (const { message } of received.items) {
      expect(message).toEqual({
        id,
        payload: { number: 7, text: 'Łódź\u0000' },
        occurredAt: expect.any(Date),
        orderingKey: 'k',
        correlationId: 'c-1',
        // The same trace, one hop further.
        traceparent: expect.stringMatching(new RegExp(`^00-${traceIdOf(traceparent)}-`)),
        attempt: 1,
      })
    }
  })

  test('an event of a transaction that rolls back is never published', async () => {
    const { world } = current
    const received = new Received<number>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      handle: async ({ payload }) => received.add(payload.number),
    })
    await bus.start()
    await world.relay(bus)
    const rolledBack = world.database.transaction(async (tx) => {
      await world.outbox.append(tx, world.changed, { number: 1 })
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await world.append(2)
    await bus.drain()

    expect(received.items).toEqual([2])
  })

  test('a payload that violates its contract is rejected when it is appended', async () => {
    const { world } = current
    const wrong = { number: 'seven' } as unknown as { number: number }
    await expect(
      world.database.transaction((tx) => world.outbox.append(tx, world.changed, wrong)),
    ).rejects.toThrow('number')
  })

  test('a message that is redelivered after its effect was committed has its effect once', async () => {
    const { world } = current
    const deliveries = new Received<boolean>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      handle: async ({ id }) => {
        const first = await world.database.transaction(async (tx) => {
          if (!(await inbox.claim(tx, 'effects', id))) return false
          await tx.query('INSERT INTO effect (message_id) VALUES ($1)', [id])
          return true
        })
        deliveries.add(first)
        if (deliveries.items.length < 3) throw new TransientError('the acknowledgement was lost')
      },
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await deliveries.count(3)

    expect(deliveries.items).toEqual([true, false, false])
    expect((await world.database.query('SELECT * FROM effect')).rowCount).toBe(1)
  })

  test('a message that is published twice has its effect once', async () => {
    const { world } = current
    const bus = await world.bus()
    const delivered = new Received<string>()
    bus.subscribe(world.changed, {
      service: world.scope,
      handle: ({ id }) =>
        world.database.transaction(async (tx) => {
          delivered.add(id)
          if (await inbox.claim(tx, 'effects', id)) await tx.query('INSERT INTO effect VALUES ($1)', [id])
        }),
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await bus.drain()
    // Simulates a crash between publishing and marking the row as sent.
    await world.database.query('UPDATE outbox SET sent_at = NULL')
    await bus.drain()

    expect(delivered.items).toHaveLength(2)
    expect((await world.database.query('SELECT * FROM effect')).rowCount).toBe(1)
  })

  test('events of one key are handled in commit order, whatever the prefetch', async () => {
    const { world } = current
    const received = new Received<{ key: string | undefined; number: number }>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      prefetch: 20,
      async handle({ payload, orderingKey }) {
        // Earlier numbers take longer, so that concurrent handling would reverse the order.
        for (let turn = payload.number; turn < 30; turn++) await new Promise((next) => setImmediate(next))
        received.add({ key: orderingKey, number: payload.number })
      },
    })
    await bus.start()
    await world.relay(bus)
    const numbers = Array.from({ length: 30 }, (_, number) => number)
    const keys = ['a', 'b', 'c']
    await Promise.all(
      keys.map(async (orderingKey) => {
        for (const number of numbers) await world.append(number, { orderingKey })
      }),
    )
    await received.count(keys.length * numbers.length)

    for (const key of keys) {
      const ofKey = received.items.filter((item) => item.key === key).map(({ number }) => number)
      expect(ofKey).toEqual(numbers)
    }
  })

  test('batches preserve the order, have each effect once, and let one bad message fail without the others', async () => {
    const { world } = current
    const received = new Received<number>()
    const sizes: number[] = []
    const bus = await world.bus({ retryTiersMs: [] })
    bus.subscribe(world.changed, {
      service: world.scope,
      prefetch: 25,
      async handleBatch(messages) {
        sizes.push(messages.length)
        await world.database.transaction(async (tx) => {
          const fresh = await inbox.claimAll(
            tx,
            'batches',
            messages.map(({ id }) => id),
          )
          if (messages.some(({ payload }) => payload.number === 50)) throw new Error('bad')
          await tx.query('INSERT INTO effect SELECT unnest($1::text[])', [[...fresh]])
        })
        for (const { payload } of messages) received.add(payload.number)
      },
    })
    await bus.start()
    const numbers = Array.from({ length: 100 }, (_, number) => number)
    for (const number of numbers) await world.append(number)
    const relay = await world.relay(bus)
    await received.count(99)
    await bus.drain()
    await world.database.query('UPDATE outbox SET sent_at = NULL')
    await relay.flush()
    await bus.drain()

    expect(received.items.slice(0, 99)).toEqual(numbers.filter((number) => number !== 50))
    expect((await world.database.query('SELECT 1 FROM effect')).rowCount).toBe(99)
    expect(Math.max(...sizes)).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(25)
    const reasons = (await bus.deadLetters.list()).map(({ reason }) => reason)
    expect(new Set(reasons)).toEqual(new Set(['attempts_exhausted']))
  })

  test('a delayed event is delivered when it is due and delays no other event of its key', async () => {
    const { world } = current
    let now = Date.parse('2030-01-01T00:00:00Z')
    world.clock = { now: () => new Date(now) }
    const received = new Received<number>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      handle: async ({ payload }) => received.add(payload.number),
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1, { orderingKey: 'k', delayMs: 3_600_000 })
    await world.append(2, { orderingKey: 'k' })
    await bus.drain()
    expect(received.items).toEqual([2])

    now += 3_599_999
    await bus.drain()
    expect(received.items).toEqual([2])
    now += 1
    await bus.drain()
    expect(received.items).toEqual([2, 1])
  })

  test('drain waits for events appended by a handler that was in flight when it was called', async () => {
    const { world } = current
    const [started, release] = [gate(), gate()]
    const received = new Received<number>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      async handle({ payload }) {
        started.open()
        await release.opened
        received.add(payload.number)
        if (payload.number === 1) await world.append(2)
      },
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await started.opened
    const drained = bus.drain()
    release.open()
    await drained
    expect(received.items).toEqual([1, 2])
  })

  test('an event appended by a handler is delivered before drain resolves', async () => {
    const { world } = current
    const received = new Received<number>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      async handle({ payload }) {
        received.add(payload.number)
        if (payload.number < 5) await world.append(payload.number + 1)
      },
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await bus.drain()

    expect(received.items).toEqual([1, 2, 3, 4, 5])
  })
}
