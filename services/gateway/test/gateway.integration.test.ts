import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createApiKey, type KeyScope, revokeApiKey, updateApiKey } from '@kyc/common'
import { createIdentityVerifier, generateIdentityKeys, identityHeader } from '@kyc/http'
import { freePort, newId } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import supertest from 'supertest'
import type { Upstreams } from '../src/config.ts'
import { gatewaySchema, gatewayService } from '../src/service.ts'

/** A service that records the requests that reach it. */
function startUpstream(): Promise<{
  server: Server
  url: string
  seen: IncomingHttpHeaders[]
  hang: { on: boolean; only: string }
}> {
  const seen: IncomingHttpHeaders[] = []
  const hang = { on: false, only: '/' }
  const server = createServer((request, response) => {
    seen.push(request.headers)
    request.resume()
    if (hang.on && request.url?.startsWith(hang.only)) return
    const status = request.url?.startsWith('/flow/') ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"from":"upstream"}')
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, hang })
    })
  })
}

let upstream: Awaited<ReturnType<typeof startUpstream>>
let harness: ServiceHarness
let api: ReturnType<typeof supertest>
let keys: Awaited<ReturnType<typeof generateIdentityKeys>>
const appId = newId('app')

beforeAll(async () => {
  upstream = await startUpstream()
  keys = await generateIdentityKeys()
  const nobody = `http://127.0.0.1:${await freePort()}`
  const upstreams: Upstreams = {
    session: upstream.url,
    checks: nobody,
    'face-biometrics': upstream.url,
    'sanctions-screening': upstream.url,
    'webhook-dispatcher': upstream.url,
    flow: upstream.url,
    console: upstream.url,
  }
  harness = await startService('gateway', gatewaySchema, (deps) =>
    gatewayService(deps, {
      INTERNAL_IDENTITY_PRIVATE_KEY: keys.privateKey,
      REDIS_URL: undefined,
      RATE_LIMIT_PER_MINUTE: 1000,
      RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: 2,
      TRUSTED_PROXIES: [],
      FLOW_URL: undefined,
      CONSOLE_URL: undefined,
      UPSTREAM_TIMEOUT_SECONDS: 1,
      UPSTREAM_MAX_WAITING: 8,
      upstreams,
    }),
  )
  api = supertest(harness.service.app)
})
afterAll(async () => {
  await harness.close()
  upstream.server.closeAllConnections()
  upstream.server.close()
})

const until = async (condition: () => boolean) => {
  const deadline = Date.now() + 10_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not become true')
    await new Promise((resume) => setImmediate(resume))
  }
}

const newKey = (rate: number | null = null, scopes: KeyScope[] | null = null) =>
  harness.bus.request(createApiKey, {
    app_id: appId,
    environment: 'test',
    name: 'a key',
    expires_at: null,
    rate_limit_per_minute: rate,
    scopes,
  })

describe('a request with a live key', () => {
  test('reaches its service as the app of the key, without any forged header of the client', async () => {
    const { key, api_key } = await newKey()
    const answer = await api
      .get('/v1/sessions')
      .set({
        'x-api-key': key,
        [identityHeader]: 'forged',
        'x-forwarded-for': '203.0.113.9',
        'x-real-ip': '203.0.113.9',
        traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
        'x-request-id': 'made-up-by-the-client',
        connection: 'close, x-secret-hop',
        'x-secret-hop': '1',
      })
      .expect(200)
    expect(answer.headers['ratelimit-limit']).toBe('1000')
    const headers = upstream.seen.at(-1) ?? {}
    for (const name of ['x-api-key', 'x-forwarded-for', 'x-real-ip', 'x-secret-hop'])
      expect(headers[name]).toBeUndefined()
    expect(headers['x-request-id']).toBe(answer.headers['x-request-id'])
    expect(headers.traceparent).not.toContain('1111111111111111')
    const verify = await createIdentityVerifier(keys.publicKey, 'session', harness.clock)
    expect(await verify(headers[identityHeader] as string)).toEqual({
      type: 'api_key',
      app_id: appId,
      environment: 'test',
      key_id: api_key.id,
      address: null,
    })
    const elsewhere = await createIdentityVerifier(keys.publicKey, 'checks', harness.clock)
    await expect(elsewhere(headers[identityHeader] as string)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('is rejected within a second of its revocation', async () => {
    const { key, api_key } = await newKey()
    await api.get('/v1/sessions').set('x-api-key', key).expect(200)
    await harness.bus.request(revokeApiKey, { app_id: appId, id: api_key.id })
    const began = Date.now()
    let status = 200
    while (status === 200 && Date.now() - began < 2_000)
      status = (await api.get('/v1/sessions').set('x-api-key', key)).status
    expect(status).toBe(401)
    expect(Date.now() - began).toBeLessThan(1_000)
  })

  test('is limited to its scopes', async () => {
    const { key, api_key } = await newKey(null, ['sessions:read'])
    expect(api_key.scopes).toEqual(['sessions:read'])
    await api.get('/v1/sessions').set('x-api-key', key).expect(200)
    const refused = await api.post('/v1/sessions').set('x-api-key', key).send({}).expect(403)
    expect(refused.body.error).toEqual({
      code: 'forbidden',
      message: 'This key lacks the scope sessions:write.',
    })
    await api.get('/v1/workflows').set('x-api-key', key).expect(403)
    await api.post('/v1/checks/face-match').set('x-api-key', key).expect(403)
    const listed = await newKey()
    expect(listed.api_key.scopes).toBeNull()
  })

  test('gets a changed limit within a second, and keeps its name', async () => {
    const { key, api_key } = await newKey(1000)
    await api.get('/v1/sessions').set('x-api-key', key).expect(200)
    const changed = await harness.bus.request(updateApiKey, {
      app_id: appId,
      id: api_key.id,
      rate_limit_per_minute: 7,
    })
    expect(changed).toMatchObject({ name: 'a key', rate_limit_per_minute: 7 })
    const began = Date.now()
    let limit = ''
    while (limit !== '7' && Date.now() - began < 2_000)
      limit = (await api.get('/v1/sessions').set('x-api-key', key)).headers['ratelimit-limit'] ?? ''
    expect(Date.now() - began).toBeLessThan(1_000)
    const elsewhere = { app_id: newId('app'), id: api_key.id, name: 'mine now' }
    await expect(harness.bus.request(updateApiKey, elsewhere)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is limited by its own limit, and for image checks by a separate one', async () => {
    const { key } = await newKey(2)
    for (let request = 0; request < 2; request++)
      await api.get('/v1/sessions').set('x-api-key', key).expect(200)
    const limited = await api.get('/v1/sessions').set('x-api-key', key).expect(429)
    expect(limited.body.error.code).toBe('rate_limited')
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)

    const other = await newKey()
    const compare = () => api.post('/v1/checks/face-match').set('x-api-key', other.key)
    await compare().expect(200)
    await compare().expect(200)
    await compare().expect(429)
    await api.get('/v1/sessions').set('x-api-key', other.key).expect(200)
  })

  test('gets 503 with retry-after while its service is unavailable or silent', async () => {
    const { key } = await newKey()
    const away = await api.post('/v1/checks/pan').set('x-api-key', key).send({ pan: 'x' }).expect(503)
    expect(away.body.error.code).toBe('internal')
    expect(away.headers['retry-after']).toBe('1')
    upstream.hang.on = true
    const [asked, seen] = [performance.now(), upstream.seen.length]
    const silent = await api.get('/v1/workflows').set('x-api-key', key).expect(503)
    // Once, and within its time limit (a second here): a silent service is not retried.
    expect(performance.now() - asked).toBeLessThan(1_900)
    expect(upstream.seen.length).toBe(seen + 1)
    upstream.hang.on = false
    expect(silent.body.error.code).toBe('internal')
  })

  test('takes at most three quarters of the waiting slots of a service; other callers and services are served', async () => {
    const [busy, other] = [(await newKey()).key, (await newKey()).key]
    const ask = (path: string, key: string) => api.get(path).set('x-api-key', key)
    upstream.hang.only = '/v1/sessions'
    upstream.hang.on = true
    const before = upstream.seen.length
    const waiting = Array.from({ length: 6 }, () => ask('/v1/sessions', busy).then(({ status }) => status))
    await until(() => upstream.seen.length === before + 6)
    const began = Date.now()
    const refused = await ask('/v1/sessions', busy)
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.body.error.message).toContain('Too many requests are waiting')
    // Well before the one-second limit of waiting requests.
    expect(Date.now() - began).toBeLessThan(500)
    // The remaining slots are reserved for callers that occupy none.
    waiting.push(ask('/v1/sessions', other).then(({ status }) => status))
    await until(() => upstream.seen.length === before + 7)
    await ask('/v1/webhook-deliveries', busy).expect(200)
    expect(await Promise.all(waiting)).toEqual(Array(7).fill(503))
    upstream.hang.on = false
    upstream.hang.only = '/'
    await ask('/v1/sessions', busy).expect(200)
  })

  test('with a declared body length over the limit is rejected before the body is read', async () => {
    const { key } = await newKey()
    const refused = await api
      .post('/v1/sessions')
      .set('x-api-key', key)
      .send({ vendor_data: 'x'.repeat(70_000) })
      .expect(400)
    expect(refused.body.error.message).toContain('body')
  })
})

describe('the console', () => {
  test('is reachable without a key; its cookie is forwarded, and forged gateway headers are not', async () => {
    const paths = ['/console', '/console/sessions/ses_1', '/console/api/me', '/console/api/apps/app_1/live']
    for (const path of paths) {
      await api
        .get(path)
        .set({
          cookie: 'kyc_console=x',
          'x-csrf-token': 'y',
          'sec-fetch-site': 'same-origin',
          [identityHeader]: 'forged',
          'x-forwarded-for': '203.0.113.9',
          'x-api-key': 'z',
        })
        .expect(200)
      const headers = upstream.seen.at(-1) ?? {}
      expect(headers).toMatchObject({ cookie: 'kyc_console=x', 'x-csrf-token': 'y' })
      expect(headers['sec-fetch-site']).toBe('same-origin')
      for (const name of ['x-api-key', 'x-forwarded-for']) expect(headers[name]).toBeUndefined()
      const verify = await createIdentityVerifier(keys.publicKey, 'console', harness.clock)
      expect(await verify(headers[identityHeader] as string)).toMatchObject({ type: 'flow' })
    }
  })
})
