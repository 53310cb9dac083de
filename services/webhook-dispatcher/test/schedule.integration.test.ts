import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { redeliver } from '@kyc/common'
import { newId } from '@kyc/runtime'
import {
  answering,
  type Dispatcher,
  decisionOf,
  type Receiver,
  startDispatcher,
  startReceiver,
} from './dispatcher.ts'

let dispatcher: Dispatcher
let receiver: Receiver
beforeAll(async () => {
  dispatcher = await startDispatcher()
})
afterAll(() => dispatcher.close())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

/** Advances the clock and runs everything that is due. */
async function after(seconds: number) {
  dispatcher.clock.advance({ seconds })
  await dispatcher.drain()
  return receiver.received.length
}

describe('a delivery', () => {
  test('that always fails has eight attempts at the specified times, across a restart, and then fails', async () => {
    receiver.answer = answering(500, 'später')
    const { app_id } = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    expect(receiver.received).toHaveLength(1)
    const delays = [30, 120, 600, 1_800, 3_600, 10_800, 21_600]
    for (const [index, seconds] of delays.entries()) {
      expect(await after(seconds - 1)).toBe(index + 1)
      if (index === 3) await dispatcher.restart()
      expect(await after(1)).toBe(index + 2)
    }
    expect(await after(86_400)).toBe(8)

    const { data } = await dispatcher.deliveries(app_id)
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      status: 'failed',
      next_attempt_at: null,
      event: 'session.status_updated',
    })
    const start = new Date('2026-03-01T12:00:00Z').getTime()
    let elapsed = 0
    expect(data[0]!.attempts).toEqual(
      [0, ...delays].map((seconds, index) => {
        elapsed += seconds
        return {
          number: index + 1,
          at: `${new Date(start + elapsed * 1000).toISOString().slice(0, 19)}Z`,
          status_code: 500,
          error: null,
          response_excerpt: 'später',
          duration_ms: expect.any(Number),
        }
      }),
    )
    const stamps = receiver.received.map((item) => Number(item.headers['x-kyc-timestamp']))
    expect(stamps.map((stamp) => stamp - stamps[0]!)).toEqual([0, 30, 150, 750, 2_550, 6_150, 16_950, 38_550])
  })

  test('that succeeds is sent once', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    const session_id = newId('session')
    const decision = decisionOf(session_id)
    await dispatcher.announce({
      app_id,
      session_id,
      status: 'approved',
      previous_status: 'processing',
      decision,
    })
    await dispatcher.drain()
    expect(await after(86_400)).toBe(1)
    const { data } = await dispatcher.deliveries(app_id)
    expect(data[0]).toMatchObject({
      status: 'delivered',
      session_id,
      attempts: [{ number: 1, status_code: 200 }],
    })
    expect(receiver.received[0]!.body).toMatchObject({
      event: 'session.status_updated',
      delivery_id: data[0]!.delivery_id,
      data: {
        session_id,
        status: 'approved',
        previous_status: 'processing',
        vendor_data: 'клиент-7',
        decision,
      },
    })
  })

  test('is created once for a redelivered message', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    const message_id = await dispatcher.announce({ app_id })
    await dispatcher.announce({ app_id, message_id })
    await dispatcher.drain()
    expect((await dispatcher.deliveries(app_id)).total).toBe(1)
    expect(receiver.received).toHaveLength(1)
  })

  test('that failed is redelivered as its ninth attempt; one in flight cannot be redelivered', async () => {
    receiver.answer = answering(503)
    const { app_id } = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    const { delivery_id } = (await dispatcher.deliveries(app_id)).data[0]!
    await expect(dispatcher.bus.request(redeliver, { app_id, delivery_id })).rejects.toMatchObject({
      code: 'conflict',
    })
    for (const seconds of [30, 120, 600, 1_800, 3_600, 10_800, 21_600]) await after(seconds)
    receiver.answer = answering(204)
    expect(await dispatcher.bus.request(redeliver, { app_id, delivery_id })).toMatchObject({
      status: 'pending',
    })
    await dispatcher.drain()
    const { data } = await dispatcher.deliveries(app_id)
    expect(data[0]).toMatchObject({ status: 'delivered', delivery_id })
    expect(data[0]!.attempts.map((attempt) => attempt.status_code)).toEqual([...Array(8).fill(503), 204])
    expect(new Set(receiver.received.map((item) => item.headers['x-kyc-delivery']))).toEqual(
      new Set([delivery_id]),
    )
  })

  test('waits for the first attempts of earlier deliveries of its session', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    const session_id = newId('session')
    const statuses = ['in_progress', 'processing', 'in_review', 'approved'] as const
    for (const status of statuses) await dispatcher.announce({ app_id, session_id, status })
    await dispatcher.drain()
    const got = receiver.received.map((item) => (item.body.event === 'ping' ? 'ping' : item.body.data.status))
    expect(got).toEqual(statuses)
  })
})
