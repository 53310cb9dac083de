import { expect, test } from '@jest/globals'
import { PermanentError } from '../../src/index.ts'
import type { Current } from '../contract-suite.ts'
import { fastTiersMs, Received } from '../world.ts'

export function describeRetries(current: Current): void {
  test('a failing message is redelivered after each tier with its attempt number', async () => {
    const { world } = current
    const attempts = new Received<{ attempt: number; at: number }>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      async handle({ attempt }) {
        attempts.add({ attempt, at: performance.now() })
        if (attempt <= fastTiersMs.length) throw new Error('not yet')
      },
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await attempts.count(4)
    await bus.drain()

    expect(attempts.items.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4])
    for (const [index, tierMs] of fastTiersMs.entries()) {
      const [before, after] = [attempts.items[index], attempts.items[index + 1]]
      // Allow 1 ms, because the broker and this process round differently.
      expect((after?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(tierMs - 1)
    }
    expect(await bus.deadLetters.list()).toEqual([])
  })

  test('an outage uses up no attempt, and the message is retried until it ends', async () => {
    const { world } = current
    const attempts = new Received<number>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      async handle({ attempt }) {
        attempts.add(attempt)
        if (attempts.items.length <= 6) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      },
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await attempts.count(7)
    await bus.drain()

    expect(attempts.items).toEqual([1, 1, 1, 1, 1, 1, 1])
    expect(await bus.deadLetters.list()).toEqual([])
  })

  test('a poison message does not block the messages behind it', async () => {
    const { world } = current
    const received = new Received<number>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      prefetch: 1,
      async handle({ payload }) {
        if (payload.number === 0) throw new Error('poison')
        if (payload.number === 1) throw new PermanentError('poison too')
        received.add(payload.number)
      },
    })
    await bus.start()
    await world.relay(bus)
    for (let number = 0; number < 20; number++) await world.append(number)
    await received.count(18)

    expect(received.items).toEqual(Array.from({ length: 18 }, (_, index) => index + 2))
  })

  test('a retried message does not wait behind one with a longer delay', async () => {
    const { world } = current
    const done = new Received<number>()
    const bus = await world.bus({ retryTiersMs: [20, 60_000] })
    bus.subscribe(world.changed, {
      service: world.scope,
      async handle({ payload, attempt }) {
        if (attempt <= payload.number) throw new Error('again')
        done.add(payload.number)
      },
    })
    await bus.start()
    await world.relay(bus)
    // The first message ends in the long tier; the second needs only the short one.
    await world.append(2)
    await world.append(1)
    await done.count(1)

    expect(done.items).toEqual([1])
    await bus.drain()
    expect(await bus.depths()).toEqual([
      expect.objectContaining({ ready: 0, inFlight: 0, retrying: 1, dead: 0 }),
    ])
  })
}
