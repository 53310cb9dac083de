import { expect, test } from '@jest/globals'
import { createConsumer } from '../../src/index.ts'
import type { Current } from '../contract-suite.ts'
import { Received } from '../world.ts'

export function describeConsuming(current: Current): void {
  const consumerOf = (bus: Parameters<typeof createConsumer>[0]['bus']) =>
    createConsumer({
      service: current.world.scope,
      bus,
      database: current.world.database,
      outbox: current.world.outbox,
    })

  test('a message has its effect once, however often it is delivered', async () => {
    const { world } = current
    const bus = await world.bus()
    const committed = new Received<number>()
    consumerOf(bus).consume(world.changed, {
      handle: async (tx, { id }) => {
        await tx.query('INSERT INTO effect (message_id) VALUES ($1)', [id])
      },
      afterCommit: ({ payload }) => committed.add(payload.number),
    })
    await bus.start()
    await world.relay(bus)
    const id = await world.append(1)
    await bus.drain()
    // Simulates a crash between the effect and the acknowledgement, which redelivers the message.
    await world.database.query(`UPDATE outbox SET sent_at = NULL, leased_until = NULL WHERE id = $1`, [id])
    await bus.drain()

    expect(committed.items).toEqual([1, 1])
    const { rows } = await world.database.query('SELECT message_id FROM effect')
    expect(rows).toEqual([{ message_id: id }])
  })

  test('a failing handler leaves no claim, no effect and no published event', async () => {
    const { world } = current
    const bus = await world.bus()
    const attempts = new Received<number>()
    consumerOf(bus).consume(world.changed, {
      handle: async (tx, { id, attempt, publish }) => {
        attempts.add(attempt)
        await tx.query('INSERT INTO effect (message_id) VALUES ($1)', [id])
        await publish(world.changedV2, { amount: 'one' })
        if (attempt === 1) throw new Error('the database connection broke')
      },
    })
    const published = new Received<string>()
    bus.subscribe(world.changedV2, {
      service: `${world.scope}_listener`,
      handle: async ({ payload }) => published.add(payload.amount),
    })
    // The listener's queue receives version 1 as well.
    bus.subscribe(world.changed, { service: `${world.scope}_listener`, handle: async () => {} })
    await bus.start()
    await world.relay(bus)
    const id = await world.append(1)
    while (attempts.items.length < 2 || published.items.length < 1) await bus.drain()
    await bus.drain()

    expect(attempts.items).toEqual([1, 2])
    expect(published.items).toEqual(['one'])
    const { rows } = await world.database.query('SELECT message_id FROM effect')
    expect(rows).toEqual([{ message_id: id }])
  })

  test('published events carry the correlation id and the trace of the message', async () => {
    const { world } = current
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`
    const bus = await world.bus()
    consumerOf(bus).consume(world.changed, {
      handle: async (_tx, { publish }) => {
        await publish(world.changedV2, { amount: 'two' })
      },
    })
    const seen = new Received<{ correlationId: string | undefined; traceparent: string | undefined }>()
    bus.subscribe(world.changedV2, {
      service: `${world.scope}_listener`,
      handle: async ({ correlationId, traceparent: trace }) =>
        seen.add({ correlationId, traceparent: trace }),
    })
    bus.subscribe(world.changed, { service: `${world.scope}_listener`, handle: async () => {} })
    await bus.start()
    await world.relay(bus)
    await world.database.transaction((tx) =>
      world.outbox.append(tx, world.changed, { number: 1 }, { correlationId: 'correlation-1', traceparent }),
    )
    while (seen.items.length < 1) await bus.drain()
    expect(seen.items).toEqual([
      { correlationId: 'correlation-1', traceparent: expect.stringContaining(traceId) },
    ])
  })

  test('slow preparation runs outside the transaction, and null acknowledges without one', async () => {
    const { world } = current
    const bus = await world.bus()
    const handled = new Received<string>()
    consumerOf(bus).consume(world.changed, {
      prepare: async ({ payload }) => {
        const { rows } = await world.database.query<{ open: number }>(
          `SELECT count(*)::int AS open FROM pg_stat_activity
           WHERE application_name LIKE $1 AND state = 'idle in transaction'`,
          [`${world.database.schema}%`],
        )
        return payload.number === 1 ? null : `open transactions: ${rows[0]?.open}`
      },
      handle: async (tx, { id }, prepared) => {
        await tx.query('INSERT INTO effect (message_id) VALUES ($1)', [id])
        handled.add(prepared)
      },
    })
    await bus.start()
    await world.relay(bus)
    await world.append(1)
    await world.append(2)
    await bus.drain()
    expect(handled.items).toEqual(['open transactions: 0'])
    const { rows } = await world.database.query('SELECT message_id FROM processed_message')
    expect(rows).toHaveLength(1)
  })
}
