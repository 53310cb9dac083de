import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  getDelivery,
  getWebhookEndpoint,
  pingWebhook,
  provisionWebhook,
  redeliverFailed,
  rotateWebhookSecret,
  setWebhookUrl,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import {
  answering,
  type Dispatcher,
  type Received,
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

const signedBy = ({ headers, raw }: Received, secret: string) => {
  const message = Buffer.concat([Buffer.from(`${headers['x-kyc-timestamp']}.`), raw])
  return headers['x-kyc-signature'] === `v1=${createHmac('sha256', secret).update(message).digest('hex')}`
}
async function after(seconds: number) {
  dispatcher.clock.advance({ seconds })
  await dispatcher.drain()
}
const ask: Dispatcher['bus']['request'] = (contract, payload) => dispatcher.bus.request(contract, payload)

describe('ALLOW_PRIVATE_WEBHOOKS', () => {
  test('applies to test apps only: a live app cannot set such a receiver', async () => {
    const live = { app_id: newId('app'), environment: 'live' } as const
    await expect(ask(provisionWebhook, { ...live, url: receiver.url })).rejects.toMatchObject({
      code: 'bad_request',
    })
    await ask(provisionWebhook, { ...live, url: null })
    await expect(ask(setWebhookUrl, { app_id: live.app_id, url: receiver.url })).rejects.toMatchObject({
      code: 'bad_request',
    })
    expect((await ask(getWebhookEndpoint, { app_id: live.app_id })).url).toBeNull()
    // The same address works for a test app, so the environment is the reason for the rejection.
    const { app_id } = await dispatcher.app(null)
    expect((await ask(setWebhookUrl, { app_id, url: receiver.url })).url).toBe(receiver.url)
  })

  test('never lets a live app send to such a receiver, even if the table contains one', async () => {
    const { app_id } = await dispatcher.app(receiver.url)
    await dispatcher.database.query(`UPDATE webhook_endpoint SET environment = 'live' WHERE app_id = $1`, [
      app_id,
    ])
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    const [delivery] = (await dispatcher.deliveries(app_id)).data
    expect(delivery?.attempts).toMatchObject([{ number: 1, status_code: null }])
    expect(receiver.received).toEqual([])
  })
})

describe('the secret', () => {
  test('is shown once, masked afterwards, and sealed in the table', async () => {
    const { app_id, secret } = await dispatcher.app(receiver.url)
    const shown = await ask(getWebhookEndpoint, { app_id })
    expect(shown).toMatchObject({ url: receiver.url, secret_masked: `whsec_****${secret.slice(-4)}` })
    expect(JSON.stringify(shown)).not.toContain(secret)
    const { rows } = await dispatcher.database.query(
      'SELECT webhook_endpoint::text AS row FROM webhook_endpoint',
    )
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'))
  })

  test('is read at every attempt: a rotation applies to pending deliveries', async () => {
    receiver.answer = answering(500)
    const { app_id, secret } = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    const rotated = await ask(rotateWebhookSecret, { app_id })
    await after(30)
    const [first, second] = receiver.received
    expect([signedBy(first!, secret), signedBy(first!, rotated.secret)]).toEqual([true, false])
    expect([signedBy(second!, secret), signedBy(second!, rotated.secret)]).toEqual([false, true])
    expect(second!.raw).toEqual(first!.raw)
  })
})

describe('the URL', () => {
  test('is read at every attempt: a new one receives pending deliveries', async () => {
    receiver.answer = answering(500)
    const other = await startReceiver()
    const { app_id } = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    await ask(setWebhookUrl, { app_id, url: other.url })
    await after(30)
    await other.close()
    expect([receiver.received.length, other.received.length]).toEqual([1, 1])
  })

  test('fails pending deliveries without an attempt when removed; once set again, all of them can be redelivered', async () => {
    receiver.answer = answering(500)
    const { app_id } = await dispatcher.app(receiver.url)
    await dispatcher.announce({ app_id })
    await dispatcher.drain()
    await ask(setWebhookUrl, { app_id, url: null })
    await dispatcher.announce({ app_id })
    await after(30)
    const before = await dispatcher.deliveries(app_id)
    expect(before.data.map((item) => [item.status, item.attempts.length])).toEqual([
      ['failed', 0],
      ['failed', 1],
    ])
    await expect(ask(redeliverFailed, { app_id, since: '2026-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'conflict',
    })

    receiver.answer = answering(200)
    await ask(setWebhookUrl, { app_id, url: receiver.url })
    expect(await ask(redeliverFailed, { app_id, since: '2099-01-01T00:00:00Z' })).toEqual({ count: 0 })
    expect(await ask(redeliverFailed, { app_id, since: '2026-01-01T00:00:00Z' })).toEqual({ count: 2 })
    await dispatcher.drain()
    const { data } = await dispatcher.deliveries(app_id)
    expect(data.map((item) => item.status)).toEqual(['delivered', 'delivered'])
  })

  test.each([
    'http://169.254.169.254/latest',
    'http://[::ffff:127.0.0.1]/',
    'ftp://127.0.0.1/',
    'http://user@127.0.0.1/',
    'not a url',
  ])('rejects %s when it is saved, even in development mode', async (url) => {
    const { app_id } = await dispatcher.app(receiver.url)
    const refusal = { code: 'bad_request', message: expect.stringMatching(/^url: /) }
    await expect(ask(setWebhookUrl, { app_id, url })).rejects.toMatchObject(refusal)
    await expect(
      ask(provisionWebhook, { app_id: newId('app'), environment: 'live', url }),
    ).rejects.toMatchObject(refusal)
    expect((await ask(getWebhookEndpoint, { app_id })).url).toBe(receiver.url)
  })
})

describe('webhook settings', () => {
  test('are created once per app', async () => {
    const { app_id } = await dispatcher.app(null)
    await expect(ask(provisionWebhook, { app_id, environment: 'test', url: null })).rejects.toMatchObject({
      code: 'conflict',
    })
  })
  test('are not_found for an unknown app', async () => {
    const app_id = newId('app')
    for (const contract of [getWebhookEndpoint, rotateWebhookSecret, pingWebhook]) {
      await expect(ask(contract, { app_id })).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(ask(setWebhookUrl, { app_id, url: null })).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('a ping is a delivery with its own event type', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  const ping = await ask(pingWebhook, { app_id })
  expect(ping).toMatchObject({ event: 'ping', session_id: null })
  await dispatcher.drain()
  expect(await ask(getDelivery, { app_id, delivery_id: ping.delivery_id })).toMatchObject({
    status: 'delivered',
  })
  expect(receiver.received[0]!.headers['x-kyc-event']).toBe('ping')
  expect(receiver.received[0]!.body).toMatchObject({
    event: 'ping',
    data: { app_id, environment: 'test', message: expect.any(String) },
  })
})

test('a ping without a URL is rejected', async () => {
  const { app_id } = await dispatcher.app(null)
  await expect(ask(pingWebhook, { app_id })).rejects.toMatchObject({ code: 'conflict' })
})
