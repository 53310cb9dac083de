import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { redeliver, sessionPurged } from '@kyc/common'
import { newId, randomText } from '@kyc/runtime'
import request from 'supertest'
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

const decisions = () =>
  receiver.received.map((item) => (item.body.event === 'ping' ? undefined : item.body.data.decision))

async function sayPurged(app_id: string, session_id: string) {
  const payload = { app_id, session_id, purged_at: '2026-03-01T12:00:00Z' }
  await dispatcher.bus.publish([
    {
      id: `msg_${randomText(24)}`,
      name: sessionPurged.name,
      version: sessionPurged.version,
      payload: JSON.stringify(payload),
      occurredAt: dispatcher.clock.now(),
      orderingKey: session_id,
      correlationId: undefined,
      traceparent: undefined,
    },
  ])
  await dispatcher.drain()
}

async function approved(app_id: string, name: string) {
  const session_id = newId('session')
  await dispatcher.announce({
    app_id,
    session_id,
    status: 'approved',
    previous_status: 'processing',
    decision: decisionOf(session_id, name),
  })
  await dispatcher.drain()
  return session_id
}

const stored = async (text: string) => {
  const { rows } = await dispatcher.database.query<{ row: string }>(
    `SELECT delivery::text AS row FROM delivery UNION ALL SELECT delivery_attempt::text FROM delivery_attempt
     UNION ALL SELECT outbox::text FROM outbox`,
  )
  return rows.some(({ row }) => row.includes(text) || row.includes(Buffer.from(text).toString('hex')))
}

test('stores no name in plain text, purged or not', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  await approved(app_id, 'Ottoline Plainwater')
  expect(decisions()[0]?.identity.full_name).toBe('Ottoline Plainwater')
  expect(await stored('Ottoline Plainwater')).toBe(false)
})

test('sends decision null for a delivery that is pending at the purge, and for a redelivery after it', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  receiver.answer = answering(500)
  const pending = await approved(app_id, 'A')
  receiver.answer = answering(200)
  const delivered = await approved(app_id, 'B')
  expect(decisions().map((decision) => decision?.identity.full_name)).toEqual(['A', 'B'])

  await sayPurged(app_id, pending)
  await sayPurged(app_id, delivered)
  dispatcher.clock.advance({ seconds: 30 })
  await dispatcher.drain()
  const { data } = await dispatcher.deliveries(app_id)
  expect(data.map((item) => item.status)).toEqual(['delivered', 'delivered'])
  const { delivery_id } = data.find((item) => item.session_id === delivered)!
  await dispatcher.bus.request(redeliver, { app_id, delivery_id })
  await dispatcher.drain()
  expect(decisions().slice(2)).toEqual([null, null])
  expect(receiver.received[2]!.body.data).toMatchObject({
    session_id: pending,
    status: 'approved',
    vendor_data: 'клиент-7',
  })
})

test('sends decision null if the key is destroyed before the purge event is consumed', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  receiver.answer = answering(500)
  const session_id = await approved(app_id, 'C')
  await dispatcher.deps.vault.destroy({ app_id, session_id })
  dispatcher.clock.advance({ seconds: 30 })
  await dispatcher.drain()
  expect(decisions()).toEqual([expect.anything(), null])
})

test('deletes what receivers echoed, even if the attempt ends after the purge', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  receiver.answer = answering(500, 'echo of Ermintrude')
  const session_id = await approved(app_id, 'Ermintrude')
  expect(await stored('echo of Ermintrude')).toBe(true)
  receiver.answer = (_, response) => {
    // The purge is consumed while the second attempt is in flight.
    void dispatcher.database
      .query('UPDATE delivery SET purged_at = now() WHERE session_id = $1', [session_id])
      .then(() => response.writeHead(500).end('echo of Ermintrude'))
  }
  dispatcher.clock.advance({ seconds: 30 })
  await dispatcher.drain()
  await sayPurged(app_id, session_id)
  expect(await stored('echo of Ermintrude')).toBe(false)
  const { data } = await dispatcher.deliveries(app_id)
  expect(data[0]!.attempts.map((attempt) => [attempt.status_code, attempt.response_excerpt])).toEqual([
    [500, null],
    [500, null],
  ])
})

test('clears the stored response of a redelivery with an idempotency key, which then has no second effect', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  const session_id = await approved(app_id, 'Kept')
  const { delivery_id } = (await dispatcher.deliveries(app_id)).data[0]!
  const identity = { type: 'api_key', app_id, key_id: 'key_1' } as const
  const redelivered = async () =>
    request(dispatcher.service.app)
      .post(`/v1/webhook-deliveries/${delivery_id}/redeliver`)
      .set(await dispatcher.identity(identity))
      .set('idempotency-key', 'once')
  const first = await redelivered()
  await dispatcher.drain()
  const again = await redelivered()
  expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true'])
  expect(again.body).toEqual(first.body)
  await dispatcher.drain()
  expect(receiver.received).toHaveLength(2)

  await sayPurged(app_id, session_id)
  const { rows } = await dispatcher.database.query(
    'SELECT sealed_body FROM idempotent_reply WHERE app_id = $1 AND session_id = $2',
    [app_id, session_id],
  )
  expect(rows).toEqual([{ sealed_body: null }])
  const late = await redelivered()
  expect([late.status, late.body.error.code]).toEqual([409, 'conflict'])
  await dispatcher.drain()
  expect(receiver.received).toHaveLength(2)
})

test('confirms the purge once, with what was deleted', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  const session_id = await approved(app_id, 'D')
  const other = await approved(app_id, 'E')
  await sayPurged(app_id, session_id)
  const { rows } = await dispatcher.database.query<{ payload: object }>(
    `SELECT payload FROM outbox WHERE name = 'session.purge_confirmed' AND ordering_key = $1`,
    [session_id],
  )
  expect(rows.map((row) => row.payload)).toEqual([
    {
      app_id,
      session_id,
      service: 'webhook-dispatcher',
      deleted: { decisions: 1, response_excerpts: 1, idempotent_replies: 0 },
      remaining: { delivery: 0, idempotent_reply: 0 },
    },
  ])
  const { rows: rest } = await dispatcher.database.query(
    'SELECT 1 FROM delivery WHERE session_id = $1 AND sealed_decision IS NOT NULL',
    [other],
  )
  expect(rest).toHaveLength(1)
})
