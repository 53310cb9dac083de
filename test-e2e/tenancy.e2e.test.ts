import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  allEndpoints,
  type CreatedSession,
  type Endpoint,
  errorEnvelope,
  type ServiceName,
  setUpApp,
} from '@kyc/common'
import { createIdentitySigner, generateIdentityKeys, identityHeader } from '@kyc/http'
import { freePort, newId, systemClock } from '@kyc/runtime'
import { SignJWT, UnsecuredJWT } from 'jose'
import { type Api, apiClient } from './support/api.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'
import { until } from './support/until.ts'

type Named = Endpoint & { operationId: string }
const endpoints = allEndpoints as readonly Named[]

let system: TestSystem
let identityKeys: Awaited<ReturnType<typeof generateIdentityKeys>>
let ours: Api
let theirs: Api
let session: CreatedSession
/** Ids of our app, by the name of the path parameter. */
let ids: Record<string, string>

beforeAll(async () => {
  identityKeys = await generateIdentityKeys()
  system = await startTestSystem(
    { SANCTIONS_DIR: '', WEBHOOK_URL: `http://127.0.0.1:${await freePort()}/` },
    { identityKeys },
  )
  ours = apiClient(system.url, system.app.api_key)
  const other = await system.bus.request(setUpApp, {
    name: 'Another app',
    environment: 'test',
    webhook_url: null,
    owner_email: 'other@example.org',
  })
  theirs = apiClient(system.url, other.api_key)
  session = (
    await ours.post<CreatedSession>('/v1/sessions', { vendor_data: 'ours', metadata: { a: 'ours' } })
  ).body
  await ours.delete(`/v1/sessions/${session.session_id}`)
  const deliveries = await until(
    () => ours.get<{ data: { delivery_id: string }[] }>('/v1/webhook-deliveries'),
    (answer) => answer.body.data.length > 0,
  )
  ids = { session_id: session.session_id, delivery_id: deliveries.body.data[0]?.delivery_id ?? '' }
})
afterAll(() => system.close())

const pathWith = (endpoint: Endpoint, values: Record<string, string>) =>
  endpoint.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x')

/** A valid body, so that a rejection is due to the owner of the object. */
const bodies: Record<string, unknown> = {
  decideSession: { status: 'approved' },
  advanceTestSession: { to: 'in_progress' },
}

const byId = endpoints.filter((endpoint) => endpoint.caller === 'api_key' && endpoint.path.includes(':'))
const lists = endpoints.filter(
  (endpoint) => endpoint.caller === 'api_key' && endpoint.method === 'get' && endpoint.query,
)
const rows = (named: readonly Named[]) => named.map((endpoint) => [endpoint.operationId, endpoint] as const)

describe('two apps', () => {
  test('every id in a path of the API is covered here', () => {
    const names = byId.flatMap((endpoint) => [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]))
    expect([...new Set(names)].sort()).toEqual(Object.keys(ids).sort())
  })

  test.each(rows(byId))(
    '%s does not find an id of another app, and responds as for one that never existed',
    async (operationId, endpoint) => {
      const nowhere = { session_id: newId('session'), delivery_id: newId('delivery') }
      const send = (path: string) =>
        theirs.call<unknown>(endpoint.method.toUpperCase(), path, bodies[operationId])
      const [hidden, unknown] = [await send(pathWith(endpoint, ids)), await send(pathWith(endpoint, nowhere))]
      expect(hidden.status).toBe(404)
      expect(hidden.body).toEqual(unknown.body)
      const names = (answer: { headers: Headers }) => [...answer.headers.keys()].sort()
      expect(names(hidden)).toEqual(names(unknown))
    },
  )

  test.each(rows(lists))('%s lists nothing of another app', async (_, endpoint) => {
    const [mine, other] = [
      await ours.get<{ data: unknown[] }>(endpoint.path),
      await theirs.get<{ data: unknown[] }>(endpoint.path),
    ]
    expect(mine.status).toBe(200)
    expect(JSON.stringify(mine.body).length).toBeGreaterThan(20)
    for (const id of Object.values(ids)) expect(JSON.stringify(other.body)).not.toContain(id)
    const filtered = await theirs.get<{ total: number }>('/v1/sessions?vendor_data=ours')
    expect(filtered.body.total).toBe(0)
  })

  test('one cannot start a session on a workflow of the other, nor replay its response', async () => {
    const workflows = await ours.get<{ data: { id: string }[] }>('/v1/workflows')
    const stolen = await theirs.post('/v1/sessions', { workflow_id: workflows.body.data[0]?.id })
    expect(stolen.status).toBe(404)
    const key = { 'idempotency-key': 'shared' }
    const first = await ours.post<CreatedSession>('/v1/sessions', {}, key)
    const second = await theirs.post<CreatedSession>('/v1/sessions', {}, key)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect(second.body.session_id).not.toBe(first.body.session_id)
  })

  test('these attempts changed nothing', async () => {
    const read = await ours.get<{ status: string; decision_reason: string }>(
      `/v1/sessions/${session.session_id}`,
    )
    expect(read.body).toMatchObject({ status: 'expired', decision_reason: 'purged' })
  })
})

describe('a service that is reached without the gateway', () => {
  const protectedEndpoints = endpoints.filter(
    (endpoint) => endpoint.service !== 'gateway' && endpoint.caller !== 'anyone',
  )
  const services = [...new Set(protectedEndpoints.map((endpoint) => endpoint.service))]
  const sample = (service: ServiceName) =>
    protectedEndpoints.filter((endpoint) => endpoint.service === service)

  const call = async (endpoint: Named, token: string | null) => {
    const response = await fetch(
      `${system.services[endpoint.service as Exclude<ServiceName, 'gateway'>]}${pathWith(endpoint, { ...ids, token: session.session_token })}`,
      {
        method: endpoint.method.toUpperCase(),
        headers: {
          ...(token === null ? {} : { [identityHeader]: token }),
          'content-type': 'application/json',
        },
        ...(endpoint.method === 'get' ? {} : { body: JSON.stringify(bodies[endpoint.operationId] ?? {}) }),
      },
    )
    return { status: response.status, body: errorEnvelope.safeParse(await response.json().catch(() => null)) }
  }

  const expectRefused = async (token: (service: ServiceName) => Promise<string | null>) => {
    for (const service of services) {
      for (const endpoint of sample(service)) {
        const answer = await call(endpoint, await token(service))
        expect({ operation: endpoint.operationId, status: answer.status }).toEqual({
          operation: endpoint.operationId,
          status: 401,
        })
        expect(answer.body.data?.error.code).toBe('unauthorized')
      }
    }
  }

  const caller = {
    app_id: newId('app'),
    key_id: newId('api_key'),
    environment: 'test',
    address: null,
  } as const
  const identity = { type: 'api_key', ...caller } as const

  test('rejects every request without an identity, and with an invalid one', async () => {
    await expectRefused(async () => null)
    await expectRefused(async () => 'x.y.z')
    await expectRefused(async () => system.app.api_key)
  })

  test('rejects an identity that is unsigned or signed by another key', async () => {
    const forger = await createIdentitySigner((await generateIdentityKeys()).privateKey, systemClock)
    await expectRefused((service) => forger(identity, service))
    const claims = { caller: identity }
    await expectRefused(async (service) =>
      new UnsecuredJWT(claims)
        .setIssuer('gateway')
        .setAudience(service)
        .setIssuedAt()
        .setExpirationTime('1m')
        .encode(),
    )
    // The public key used as the secret of a symmetric signature.
    await expectRefused((service) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'kyc-internal+jwt' })
        .setIssuer('gateway')
        .setAudience(service)
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(Buffer.from(identityKeys.publicKey)),
    )
  })

  test('rejects an identity that is expired, not yet valid, for another service, or of another kind', async () => {
    const at = (offsetMs: number) => ({ now: () => new Date(Date.now() + offsetMs) })
    const late = await createIdentitySigner(identityKeys.privateKey, at(-70_000))
    const early = await createIdentitySigner(identityKeys.privateKey, at(120_000))
    const now = await createIdentitySigner(identityKeys.privateKey, at(0))
    await expectRefused((service) => late(identity, service))
    await expectRefused((service) => early(identity, service))
    await expectRefused((service) => now(identity, service === 'session' ? 'checks' : 'session'))
    // An identity signed by the gateway is accepted, so the rejections above have no other cause.
    const list = endpoints.find((endpoint) => endpoint.operationId === 'listSessions') as Named
    expect((await call(list, await now(identity, 'session'))).status).toBe(200)
  })
})

describe('every response', () => {
  const asked: [string, string][] = [
    ['an answer', '/v1/sessions'],
    ['an error', '/v1/sessions/x'],
    ['an unknown path', '/nothing'],
    ['health', '/health'],
  ]
  test.each(asked)(
    '%s may not run scripts, be framed, be cached, or be read by another origin',
    async (_, path) => {
      const { headers } = await ours.call('GET', path, undefined, { origin: 'https://evil.example' })
      const policy = (headers.get('content-security-policy') ?? '').split('; ')
      for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
        expect(policy).toContain(`${name} 'none'`)
      expect(policy.join()).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
    },
  )

  test.each([
    ['of a session', () => session.session_token, 200],
    ['of an unknown token', () => newId('object'), 404],
  ])(
    'the page of the flow, %s, may use the camera and runs its own scripts only',
    async (_, token, status) => {
      const page = await fetch(`${system.url}/flow/${token()}`, { headers: { accept: 'text/html' } })
      expect(page.status).toBe(status)
      const { headers } = page
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = (headers.get('content-security-policy') ?? '').split('; ')
      for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
        expect(policy).toContain(`${name} 'none'`)
      expect(policy).toContain("script-src 'self'")
      expect(policy.join()).not.toMatch(/unsafe|\*|https?:/)
      expect(headers.get('permissions-policy')).toContain('camera=(self)')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      // The only variable part of the page is one of five fixed words.
      const [, link] = /<meta name="kyc-link" content="(\w+)"/.exec(await page.text()) ?? []
      expect(['session', 'handoff', 'handoff_expired', 'handoff_used', 'unknown']).toContain(link)
    },
  )

  test('strict transport security is set if clients use https', async () => {
    const secure = await startTestSystem({ PUBLIC_URL: 'https://kyc.example', SANCTIONS_DIR: '' })
    try {
      const { headers } = await fetch(`${secure.url}/health`)
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}; includeSubDomains$/)
    } finally {
      await secure.close()
    }
  })
})
