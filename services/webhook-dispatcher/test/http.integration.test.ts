import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { getDelivery, redeliver } from '@kyc/common'
import { newId } from '@kyc/runtime'
import request from 'supertest'
import { answering, type Dispatcher, type Receiver, startDispatcher, startReceiver } from './dispatcher.ts'

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

async function get(app_id: string, path: string) {
  return request(dispatcher.service.app)
    .get(path)
    .set(await dispatcher.identity({ type: 'api_key', app_id }))
}
async function post(app_id: string, path: string) {
  return request(dispatcher.service.app)
    .post(path)
    .set(await dispatcher.identity({ type: 'api_key', app_id }))
}

describe('a client backend', () => {
  test('lists its deliveries, newest first, by page, status and session', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    const session_id = newId('session')
    await dispatcher.announce({ app_id, session_id })
    await dispatcher.drain()
    receiver.answer = answering(500)
    for (let i = 0; i < 3; i++) await dispatcher.announce({ app_id })
    await dispatcher.drain()

    const all = await get(app_id, '/v1/webhook-deliveries')
    expect(all.status).toBe(200)
    expect(all.body).toMatchObject({ page: 1, page_size: 25, total: 4 })
    expect(all.body.data.at(-1)).toMatchObject({ session_id, status: 'delivered' })
    const second = await get(app_id, '/v1/webhook-deliveries?page=2&page_size=3')
    expect(second.body.data).toEqual([all.body.data[3]])
    const pending = await get(app_id, '/v1/webhook-deliveries?status=pending')
    expect(pending.body.total).toBe(3)
    const ofSession = await get(app_id, `/v1/webhook-deliveries?session_id=${session_id}`)
    expect(ofSession.body.data).toEqual([all.body.data[3]])
    expect((await get(app_id, '/v1/webhook-deliveries?status=lost')).body.error.code).toBe('bad_request')
  })

  test('gets the event of a delivery as it was sent, even if no receiver is set', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    const sent = receiver.received.at(-1)?.body
    const event = await get(app_id, `/v1/webhook-deliveries/${sent?.delivery_id}/event`)
    expect([event.status, event.body]).toEqual([200, sent])
    const other = await dispatcher.app(null)
    const hidden = await get(other.app_id, `/v1/webhook-deliveries/${sent?.delivery_id}/event`)
    expect([hidden.status, hidden.body.error.code]).toEqual([404, 'not_found'])
    await dispatcher.announce({ app_id: other.app_id })
    await dispatcher.drain()
    const [unsent] = (await dispatcher.deliveries(other.app_id)).data
    const kept = await get(other.app_id, `/v1/webhook-deliveries/${unsent?.delivery_id}/event`)
    expect(kept.body).toMatchObject({ event: 'session.status_updated', data: { decision: null } })
  })

  test('gets a delivery with its attempts, and redelivers it', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    const [listed] = (await dispatcher.deliveries(app_id)).data
    const path = `/v1/webhook-deliveries/${listed!.delivery_id}`
    expect((await get(app_id, path)).body).toEqual(listed)
    const again = await post(app_id, `${path}/redeliver`)
    expect([again.status, again.body.status]).toEqual([200, 'pending'])
    await dispatcher.drain()
    expect((await get(app_id, path)).body).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1 }, { number: 2 }],
    })
  })

  test('gets a conflict for a delivery in flight', async () => {
    receiver.answer = answering(500)
    const { app_id } = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    const { delivery_id } = (await dispatcher.deliveries(app_id)).data[0]!
    const response = await post(app_id, `/v1/webhook-deliveries/${delivery_id}/redeliver`)
    expect([response.status, response.body.error.code]).toEqual([409, 'conflict'])
  })
})

describe('another app', () => {
  test('reads and redelivers nothing, and cannot tell what exists', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    const other = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    const { delivery_id } = (await dispatcher.deliveries(app_id)).data[0]!
    expect((await get(other.app_id, '/v1/webhook-deliveries')).body.total).toBe(0)
    const mine = await get(other.app_id, `/v1/webhook-deliveries/${delivery_id}`)
    const none = await get(other.app_id, `/v1/webhook-deliveries/${newId('delivery')}`)
    expect([mine.status, mine.body]).toEqual([404, none.body])
    expect((await post(other.app_id, `/v1/webhook-deliveries/${delivery_id}/redeliver`)).status).toBe(404)
    const scope = { app_id: other.app_id, delivery_id }
    for (const contract of [getDelivery, redeliver]) {
      await expect(dispatcher.bus.request(contract, scope)).rejects.toMatchObject({ code: 'not_found' })
    }
    await dispatcher.drain()
    expect(receiver.received).toHaveLength(1)
  })

  test('gets 401 without the gateway', async () => {
    expect((await request(dispatcher.service.app).get('/v1/webhook-deliveries')).status).toBe(401)
  })
})
