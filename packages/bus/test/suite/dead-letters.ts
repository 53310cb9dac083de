import { expect, test } from '@jest/globals'
import { type Bus, type DeadLetter, PermanentError } from '../../src/index.ts'
import type { Current } from '../contract-suite.ts'
import { Received } from '../world.ts'

/** Waits until there are `count` dead letters. Polls without pauses; each poll is a round trip. */
async function deadLetters(bus: Bus, count: number): Promise<DeadLetter[]> {
  for (;;) {
    await bus.drain()
    const letters = await bus.deadLetters.list()
    if (letters.length >= count) return letters
  }
}

export function describeDeadLetters(current: Current): void {
  test('a permanent error parks the message at once, with its reason', async () => {
    const { world } = current
    const received = new Received<number>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      async handle({ attempt }) {
        received.add(attempt)
        throw new PermanentError('no such session')
      },
    })
    await bus.start()
    await world.relay(bus)
    const id = await world.append(1)

    expect(await deadLetters(bus, 1)).toEqual([
      {
        id,
        queue: `${world.scope}.${world.changed.name}`,
        event: world.changed.name,
        reason: 'permanent_error',
        detail: 'PermanentError: no such session',
        attempt: 1,
        occurredAt: expect.any(Date),
        diedAt: expect.any(Date),
      },
    ])
    expect(received.items).toEqual([1])
  })

  test('a message that failed after every tier is parked', async () => {
    const { world } = current
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      handle: () => Promise.reject(new TypeError('always')),
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)

    expect(await deadLetters(bus, 1)).toEqual([
      expect.objectContaining({ reason: 'attempts_exhausted', detail: 'TypeError: always', attempt: 4 }),
    ])
  })

  test('a payload that violates its contract is parked with the field paths, not the values', async () => {
    const { world } = current
    const bus = await world.bus()
    bus.subscribe(world.changed, { service: world.scope, handle: async () => {} })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await bus.drain()
    await world.database.query(
      `UPDATE outbox SET sent_at = NULL, payload = '{"number":"Jane Doe"}', id = gen_random_uuid()`,
    )

    const [letter] = await deadLetters(bus, 1)
    expect(letter?.reason).toBe('invalid_payload')
    expect(letter?.detail).toContain('number')
    expect(letter?.detail).not.toContain('Jane')
  })

  test('an unknown version is parked, and each known version has its handler', async () => {
    const { world } = current
    const received = new Received<number | string>()
    const bus = await world.bus()
    const service = world.scope
    bus.subscribe(world.changed, { service, handle: async ({ payload }) => received.add(payload.number) })
    bus.subscribe(world.changedV2, { service, handle: async ({ payload }) => received.add(payload.amount) })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await world.database.transaction((tx) => world.outbox.append(tx, world.changedV2, { amount: 'two' }))
    const future = { ...world.changed, version: 99 }
    const id = await world.database.transaction((tx) => world.outbox.append(tx, future, { number: 3 }))

    expect(await deadLetters(bus, 1)).toEqual([expect.objectContaining({ id, reason: 'unknown_version' })])
    expect(received.items.map(String).sort()).toEqual(['1', 'two'])
  })

  test('replayed dead letters are delivered as a first attempt and removed from the list', async () => {
    const { world } = current
    const received = new Received<{ number: number; attempt: number }>()
    let broken = true
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      async handle({ payload, attempt }) {
        if (broken) throw new PermanentError('broken')
        received.add({ number: payload.number, attempt })
      },
    })
    await bus.start()
    await world.relay(bus)
    const ids = [await world.append(1), await world.append(2), await world.append(3)]
    await deadLetters(bus, 3)
    broken = false
    const queue = `${world.scope}.${world.changed.name}`

    expect(await bus.deadLetters.replay({ queue, ids: [ids[1] ?? ''] })).toBe(1)
    await bus.drain()
    expect(received.items).toEqual([{ number: 2, attempt: 1 }])
    expect((await bus.deadLetters.list({ queue })).map(({ id }) => id).sort()).toEqual(
      [ids[0], ids[2]].sort(),
    )

    expect(await bus.deadLetters.replay({ queue })).toBe(2)
    await bus.drain()
    expect(received.items.map(({ number }) => number).sort()).toEqual([1, 2, 3])
    expect(await bus.deadLetters.list()).toEqual([])
  })
}
