import { expect, test } from '@jest/globals'
import { UnavailableError } from '@kyc/common'
import type { Current } from '../contract-suite.ts'
import { gate, Received } from '../world.ts'

export function describeStopping(current: Current): void {
  test('closing waits for the handlers in flight and accepts no new messages', async () => {
    const { world } = current
    const [started, release] = [gate(), gate()]
    const done = new Received<number>()
    const bus = await world.bus()
    bus.subscribe(world.changed, {
      service: world.scope,
      prefetch: 1,
      async handle({ payload }) {
        started.open()
        await release.opened
        done.add(payload.number)
      },
    })
    await bus.start()
    const relay = await world.relay(bus)
    await world.append(1)
    await world.append(2)
    await started.opened
    await relay.stop()
    let closed = false
    const closing = bus.close().then(() => {
      closed = true
    })
    await new Promise((next) => setImmediate(next))
    expect(closed).toBe(false)
    release.open()
    await closing
    expect(done.items).toEqual([1])

    // The next process handles exactly the messages that were left.
    const next = await world.bus()
    next.subscribe(world.changed, {
      service: world.scope,
      handle: async ({ payload }) => done.add(payload.number),
    })
    await next.start()
    await world.relay(next)
    await next.drain()
    expect(done.items).toEqual([1, 2])
  })

  test('a message whose handler never finished is redelivered to the next process', async () => {
    const { world } = current
    const received = new Received<string>()
    const first = await world.bus({ closeTimeoutMs: 20 })
    first.subscribe(world.changed, {
      service: world.scope,
      async handle() {
        received.add('first')
        await new Promise(() => {})
      },
    })
    await first.start()
    const relay = await world.relay(first)
    await world.append(1)
    await received.count(1)
    await relay.stop()
    await first.close()

    const second = await world.bus()
    second.subscribe(world.changed, { service: world.scope, handle: async () => received.add('second') })
    await second.start()
    await received.count(2)
    expect(received.items).toEqual(['first', 'second'])
  })

  test('a responder finishes its response before the bus closes', async () => {
    const { world } = current
    const [started, release] = [gate(), gate()]
    const bus = await world.bus()
    bus.respond(world.double, async ({ number }) => {
      started.open()
      await release.opened
      return { doubled: 2 * number }
    })
    await bus.start()
    const answer = bus.request(world.double, { number: 4 })
    await started.opened
    const closing = bus.close()
    release.open()
    expect(await answer).toEqual({ doubled: 8 })
    await closing
    await expect(bus.request(world.double, { number: 1 })).rejects.toBeInstanceOf(UnavailableError)
  })

  test('a stopped relay leaves the remaining rows in the outbox', async () => {
    const { world } = current
    const bus = await world.bus()
    await bus.start()
    const relay = await world.relay(bus)
    await relay.stop()
    await world.append(1)
    expect(await relay.flush()).toBe(0)
    expect(await relay.lag()).toMatchObject({ pending: 1 })
  })
}
