import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { allEndpoints, type OperationId, setUpApp } from '@kyc/common'
import { blankPage } from './support/blank-page.ts'
import { startReceiver } from './support/receiver.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'
import { until } from './support/until.ts'

type Sent = { path: string; body?: () => FormData | object; other?: () => FormData | object; status: number }

const posts = allEndpoints.filter(({ method, caller }) => method === 'post' && caller === 'api_key')
const passport = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
]

let system: TestSystem
let receiver: Awaited<ReturnType<typeof startReceiver>>
let key: string
let sessionId: string
let requests: Partial<Record<OperationId, Sent>>

beforeAll(async () => {
  receiver = await startReceiver()
  system = await startTestSystem()
  const app = await system.bus.request(setUpApp, {
    name: 'Keys',
    environment: 'test',
    webhook_url: receiver.url,
    owner_email: 'owner@localhost.localdomain',
  })
  receiver.useSecret(app.webhook_secret)
  key = app.api_key
  const session = await post('/v1/sessions', {}, 'the session')
  sessionId = JSON.parse(session.text).session_id
  await post(`/v1/test/sessions/${sessionId}/advance`, { to: 'in_progress' }, 'begun')
  const page = new Blob([new Uint8Array(await blankPage())], { type: 'image/jpeg' })
  const form = (names: string[], fields: Record<string, string> = {}) => {
    const made = new FormData()
    for (const [name, value] of Object.entries(fields)) made.set(name, value)
    for (const name of names) made.set(name, page)
    return made
  }
  const qr = { path: '/v1/checks/aadhaar/secure-qr', body: () => ({ qr_text: '12345' }), status: 422 }
  requests = {
    createSession: {
      path: '/v1/sessions',
      body: () => ({ vendor_data: 'one' }),
      other: () => ({ vendor_data: 'two' }),
      status: 201,
    },
    advanceTestSession: {
      path: `/v1/test/sessions/${sessionId}/advance`,
      body: () => ({ to: 'processing' }),
      other: () => ({ to: 'expired' }),
      status: 200,
    },
    redeliverWebhook: {
      path: `/v1/webhook-deliveries/${await delivered()}/redeliver`,
      status: 200,
    },
    screenName: {
      path: '/v1/checks/aml',
      body: () => ({ full_name: 'Anna Eriksson' }),
      other: () => ({ full_name: 'Orsolya Wendtbrook' }),
      status: 200,
    },
    screenNames: {
      path: '/v1/checks/aml/batch',
      body: () => ({ names: [{ id: '1', full_name: 'Anna Eriksson' }] }),
      other: () => ({ names: [{ id: '2', full_name: 'Anna Eriksson' }] }),
      status: 200,
    },
    validatePan: {
      path: '/v1/checks/pan',
      body: () => ({ pan: 'AAAPT1234Q' }),
      other: () => ({ pan: 'AAAPT1234R' }),
      status: 200,
    },
    parseMrz: {
      path: '/v1/checks/mrz',
      body: () => ({ lines: passport }),
      other: () => ({ lines: passport.slice(1) }),
      status: 200,
    },
    verifySecureQr: { ...qr, other: () => ({ qr_text: '54321' }) },
    matchFaces: {
      path: '/v1/checks/face-match',
      body: () => form(['image_a', 'image_b']),
      status: 422,
    },
    readDocument: {
      path: '/v1/checks/document',
      body: () => form(['image']),
      other: () => form(['image'], { country: 'IND' }),
      status: 422,
    },
  }
})
afterAll(async () => {
  await system?.close()
  await receiver?.close()
})

async function post(path: string, body: FormData | object | undefined, idempotencyKey: string) {
  const isForm = body instanceof FormData
  const response = await fetch(`${system.url}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'idempotency-key': idempotencyKey,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const { status, headers } = response
  const replayed = headers.get('idempotent-replayed') === 'true'
  return { status, replayed, text: await response.text() }
}

/** The id of a delivered webhook. */
async function delivered(): Promise<string> {
  const headers = { 'x-api-key': key }
  const [delivery] = await until(
    async () => {
      const answer = await fetch(`${system.url}/v1/webhook-deliveries?status=delivered`, { headers })
      return ((await answer.json()) as { data: { delivery_id: string }[] }).data
    },
    (data) => data.length > 0,
  )
  return delivery!.delivery_id
}

describe('an idempotency key, through the gateway', () => {
  test.each(posts.map(({ operationId }) => operationId))(
    'returns the first response of %s again',
    async (operationId) => {
      const sent = requests[operationId]
      if (!sent) throw new Error(`no request is known for ${operationId}`)
      const first = await post(sent.path, sent.body?.(), operationId)
      const again = await post(sent.path, sent.body?.(), operationId)
      expect([first.status, first.replayed]).toEqual([sent.status, false])
      expect(again).toEqual({ ...first, replayed: true })
      if (sent.other) {
        const conflict = await post(sent.path, sent.other(), operationId)
        expect([conflict.status, conflict.replayed]).toEqual([409, false])
        expect(conflict.text).toContain('idempotency-key')
      }
      expect(await post(sent.path, sent.body?.(), 'x'.repeat(256))).toMatchObject({ status: 400 })
    },
  )

  test('returns no response about a session once it is purged', async () => {
    const path = `/v1/test/sessions/${sessionId}/advance`
    const purge = () =>
      fetch(`${system.url}/v1/sessions/${sessionId}`, { method: 'DELETE', headers: { 'x-api-key': key } })
    // A session in processing is purged after its decision.
    await until(purge, ({ status }) => status === 204)
    expect(await post('/v1/sessions', {}, 'the session')).toMatchObject({ status: 409, replayed: false })
    expect(await post(path, { to: 'in_progress' }, 'begun')).toMatchObject({ status: 409, replayed: false })
    expect(await post(path, { to: 'processing' }, 'advanceTestSession')).toMatchObject({ status: 409 })
  })
})
