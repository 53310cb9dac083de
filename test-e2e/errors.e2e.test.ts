import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { allEndpoints, type Endpoint, errorEnvelope, errorStatus } from '@kyc/common'
import { newId, newToken } from '@kyc/runtime'
import { type Answer, type Api, apiClient } from './support/api.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

let system: TestSystem
let api: Api
let anonymous: Api

beforeAll(async () => {
  system = await startTestSystem()
  api = apiClient(system.url, system.app.api_key)
  anonymous = apiClient(system.url, null)
})
afterAll(() => system.close())

/** A path with every parameter filled with a value that cannot exist. */
const nowhere = (endpoint: Endpoint) =>
  endpoint.path
    .replace(':session_id', newId('session'))
    .replace(':delivery_id', newId('delivery'))
    .replace(':token', newToken())

const send = (client: Api, endpoint: Endpoint, path: string, body?: unknown) =>
  client.call<unknown>(endpoint.method.toUpperCase(), path, body)

function expectError(answer: Answer<unknown>, code: keyof typeof errorStatus): void {
  const body = errorEnvelope.parse(answer.body)
  expect({ status: answer.status, code: body.error.code }).toEqual({ status: errorStatus[code], code })
  expect(Object.keys(answer.body as object)).toEqual(['error'])
  expect(body.error.message.length).toBeGreaterThan(5)
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
}

const byKey = allEndpoints.filter((endpoint) => endpoint.caller === 'api_key')
const byToken = allEndpoints.filter((endpoint) => endpoint.caller === 'flow_token')
const named = (endpoints: readonly (Endpoint & { operationId: string })[]) =>
  endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const)

describe('every endpoint that requires a key', () => {
  test.each(named(byKey))(
    '%s answers unauthorized without a key and with an unknown one',
    async (_, endpoint) => {
      expectError(await send(anonymous, endpoint, nowhere(endpoint)), 'unauthorized')
    },
  )

  test.each(named(byKey.filter((endpoint) => endpoint.errors.includes('not_found') && endpoint.params)))(
    '%s answers not_found for an object that is not in the app',
    async (operationId, endpoint) => {
      const bodies: Record<string, unknown> = {
        decideSession: { status: 'approved' },
        advanceTestSession: { to: 'processing' },
      }
      expectError(await send(api, endpoint, nowhere(endpoint), bodies[operationId]), 'not_found')
    },
  )

  test.each(named(byKey.filter((endpoint) => endpoint.body)))(
    '%s answers bad_request for a body that is not an object, and names an unknown field',
    async (_, endpoint) => {
      expectError(await send(api, endpoint, nowhere(endpoint), []), 'bad_request')
      const unknown = await send(api, endpoint, nowhere(endpoint), { no_such_field: 1 })
      expectError(unknown, 'bad_request')
    },
  )

  test.each(named(byKey.filter((endpoint) => endpoint.multipart)))(
    '%s answers bad_request for a body that is not multipart, and names a missing file',
    async (_, endpoint) => {
      expectError(await send(api, endpoint, nowhere(endpoint), { a: 1 }), 'bad_request')
      const form = new FormData()
      form.set('other', 'x')
      const missing = await send(api, endpoint, nowhere(endpoint), form)
      expectError(missing, 'bad_request')
      const first = Object.keys(endpoint.multipart?.files ?? {})[0]
      expect(JSON.stringify(missing.body)).toContain(first)
    },
  )

  test.each(named(byKey.filter((endpoint) => endpoint.query)))(
    '%s answers bad_request for a page that is out of range, repeated, or unknown',
    async (_, endpoint) => {
      for (const query of ['page=0', 'page=x', 'page_size=101', 'page=1&page=2', 'surprise=1']) {
        const answer = await send(api, endpoint, `${nowhere(endpoint)}?${query}`)
        expectError(answer, 'bad_request')
        expect(JSON.stringify(answer.body)).toContain(query.split('=')[0])
      }
    },
  )
})

describe('every endpoint of the hosted flow', () => {
  const bodies: Record<string, unknown> = {
    startFlow: {},
    giveConsent: { accepted: true, version: '1' },
    verifyEmail: { code: '000000' },
    recordFlowEvent: { name: 'retake' },
  }
  // Ten unknown tokens a minute per address get a response; then guessing is rate-limited.
  const jsonOnly = byToken
    .filter((endpoint) => !endpoint.multipart && endpoint.success.type !== 'html')
    .slice(0, 9)
  test.each(named(jsonOnly))('%s answers not_found for an unknown link', async (operationId, endpoint) => {
    expectError(await send(anonymous, endpoint, nowhere(endpoint), bodies[operationId]), 'not_found')
  })
})

describe('a request outside every contract', () => {
  test.each(['/v1/nothing', '/v2/sessions', '/metrics', '/ready', '/v1/sessions/x/y/z'])(
    '%s is not_found',
    async (path) => {
      expectError(await api.get(path), 'not_found')
    },
  )

  test('a body over its limit is rejected by its announced length', async () => {
    const answer = await api.post('/v1/checks/pan', { pan: 'A'.repeat(70_000) })
    expectError(answer, 'bad_request')
    expect(JSON.stringify(answer.body)).toContain('body')
  })

  test('a body that is not JSON is bad_request', async () => {
    const response = await fetch(`${system.url}/v1/sessions`, {
      method: 'POST',
      headers: { 'x-api-key': system.app.api_key, 'content-type': 'application/json' },
      body: '{',
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'bad_request' } })
  })

  test('health needs no key', async () => {
    expect(await anonymous.get('/health')).toMatchObject({ status: 200, body: { ok: true } })
  })
})

describe('limits', () => {
  test('a key over its limit is rate_limited, with headers that state when to retry', async () => {
    const limited = await startTestSystem({ RATE_LIMIT_PER_MINUTE: '3' })
    try {
      const client = apiClient(limited.url, limited.app.api_key)
      for (let request = 0; request < 3; request++)
        expect((await client.get('/v1/sessions')).status).toBe(200)
      const answer = await client.get('/v1/sessions')
      expectError(answer, 'rate_limited')
      expect(answer.headers.get('ratelimit-limit')).toBe('3')
      expect(answer.headers.get('ratelimit-remaining')).toBe('0')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })
})
