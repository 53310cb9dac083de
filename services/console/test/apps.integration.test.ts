import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { appConfigured, setUpApp } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import { consoleSchema, consoleService } from '../src/service.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol, signInFully } from './console-client.ts'
import { answerAsNeighbours, settings } from './neighbours.ts'

let harness: ServiceHarness
let owner: ConsoleClient
let person: { email: string; password: string; secret: string }
let testApp: string
let liveApp: string
const configured: { app_id: string; revision: number; name: string; accent: string | null }[] = []
const password = 'a long enough phrase of words'

beforeAll(async () => {
  harness = await startService('console', consoleSchema, (deps) => consoleService(deps, settings), {
    before: (bus) => {
      answerAsNeighbours(bus)
      bus.subscribe(appConfigured, {
        service: 'session',
        handle: async ({ payload }) => void configured.push(payload),
      })
    },
  })
  const made = await harness.bus.request(setUpApp, {
    name: 'Example',
    environment: 'test',
    webhook_url: null,
    owner_email: 'owner@example.com',
  })
  testApp = made.app_id
  owner = consoleClient(harness)
  const { email = '', password: first = '' } = made.owner ?? {}
  person = { email, password: first, ...(await signInAndEnrol(harness, owner, email, first)) }
  const live = await owner.post('/apps', { name: 'Example, live', environment: 'live' })
  expect(live.status).toBe(201)
  liveApp = live.body.app.app_id
})
afterAll(() => harness.close())

const logo = 'data:image/png;base64,iVBORw0KGgo='

describe('an app', () => {
  test('in the live environment is separate from the test app, with its own keys', async () => {
    const { data } = (await owner.get('/apps')).body
    expect(data.map((app: { environment: string }) => app.environment)).toEqual(['test', 'live'])
    const [a, b] = await Promise.all([testApp, liveApp].map((app) => owner.get(`/apps/${app}/keys`)))
    const ids = (keys: { body: { data: { id: string }[] } } | undefined) =>
      keys?.body.data.map((key) => key.id)
    expect(ids(a)).toHaveLength(1)
    expect(ids(b)).toHaveLength(1)
    expect(ids(a)).not.toEqual(ids(b))
  })

  test('publishes its name and appearance to every service, in the order of the changes', async () => {
    const change = await owner.patch(`/apps/${testApp}`, {
      name: 'Bank',
      accent: '#1a73e8',
      logo_url: logo,
      callback_hosts: ['shop.example.com'],
    })
    expect(change.body).toMatchObject({ name: 'Bank', accent: '#1a73e8', revision: 2 })
    expect((await owner.put(`/apps/${testApp}/retention`, { retention_days: 30 })).body.revision).toBe(3)
    await harness.drain()
    const own = configured.filter((event) => event.app_id === testApp)
    expect(own.map((event) => event.revision)).toEqual([1, 2, 3])
    expect(own.at(-1)).toMatchObject({
      name: 'Bank',
      accent: '#1a73e8',
      logo_url: logo,
      retention_days: 30,
      callback_hosts: ['shop.example.com'],
    })
  })

  test.each([
    [{ accent: 'red' }, 'accent'],
    [{ accent: '#1a73e8;background:url(x)' }, 'accent'],
    [{ callback_hosts: ['https://shop.example.com'] }, 'callback_hosts'],
    [{ callback_hosts: ['*'] }, 'callback_hosts'],
    [{ logo_url: 'javascript:alert(1)' }, 'logo_url'],
    [{ logo_url: 'https://bank.example/logo.svg' }, 'logo_url'],
    [{ logo_url: 'data:text/html;base64,AAAA' }, 'logo_url'],
    [{ logo_url: `data:image/png;base64,${'A'.repeat(40_000)}` }, 'logo_url'],
    [{ name: 'two\nlines' }, 'name'],
    [{ retention_days: 5 }, 'retention_days'],
  ])('rejects %j', async (change, field) => {
    const refused = await owner.patch(`/apps/${testApp}`, change)
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain(field)
  })
})

describe('keys', () => {
  test('are shown once, have scopes, a limit and an expiry, and can be revoked', async () => {
    await signInFully(harness, owner, person)
    const made = await owner.post(`/apps/${testApp}/keys`, {
      name: 'CI',
      scopes: ['sessions:read'],
      rate_limit_per_minute: 10,
      expires_at: '2027-01-01T00:00:00Z',
    })
    expect(made.status).toBe(201)
    expect(made.body.key).toMatch(/^kyc_test_/)
    const listed = await owner.get(`/apps/${testApp}/keys`)
    expect(listed.text).not.toContain(made.body.key)
    expect(
      (await owner.delete(`/apps/${testApp}/keys/${made.body.api_key.id}`)).body.revoked_at,
    ).not.toBeNull()
  })

  test('of another app are not found', async () => {
    const [key] = (await owner.get(`/apps/${liveApp}/keys`)).body.data as { id: string }[]
    expect((await owner.delete(`/apps/${testApp}/keys/${key?.id}`)).status).toBe(404)
    expect((await owner.patch(`/apps/${testApp}/keys/${key?.id}`, { name: 'x' })).status).toBe(404)
    expect((await owner.delete(`/apps/${testApp}/keys/not-an-id`)).status).toBe(404)
  })
})

describe('a user who sees one app', () => {
  let admin: ConsoleClient

  beforeAll(async () => {
    await signInFully(harness, owner, person)
    const invited = await owner.post('/users/invitations', {
      email: 'one@example.com',
      role: 'admin',
      app_ids: [testApp],
    })
    const token = (invited.body.link as string).split('#')[1] ?? ''
    admin = consoleClient(harness)
    await admin.post('/links/use', { token, password })
    await signInAndEnrol(harness, admin, 'one@example.com', password)
  })

  test('finds nothing of any other app', async () => {
    expect((await admin.get('/me')).body.apps.map((app: { app_id: string }) => app.app_id)).toEqual([testApp])
    expect((await admin.get('/apps')).body.data).toHaveLength(1)
    for (const path of ['', '/keys', '/webhook', '/deliveries'])
      expect((await admin.get(`/apps/${liveApp}${path}`)).status).toBe(404)
    const seen = (await admin.get('/audit?limit=200')).body.data as { app_id: string | null }[]
    expect(new Set(seen.map((entry) => entry.app_id))).toEqual(new Set([testApp]))
    const all = await admin.get(`/audit/export?app_id=${liveApp}`)
    expect(all.text).toBe('')
  })

  test('cannot grant access to other apps, and does not see users who have it', async () => {
    const invite = (app_ids: string[] | null) =>
      admin.post('/users/invitations', { email: 'next@example.com', role: 'reviewer', app_ids })
    expect((await invite(null)).status).toBe(403)
    expect((await invite([testApp, liveApp])).status).toBe(403)
    expect((await invite([newId('app')])).status).toBe(403)
    expect((await invite([testApp])).status).toBe(201)
    const users = (await admin.get('/users')).body.data as { email: string }[]
    expect(users.map((user) => user.email)).toEqual(['one@example.com'])
  })

  test('gets the same response for a user who sees other apps as for one who does not exist', async () => {
    const invited = await owner.post('/users/invitations', {
      email: 'elsewhere@example.com',
      role: 'reviewer',
      app_ids: [liveApp],
    })
    const token = (invited.body.link as string).split('#')[1] ?? ''
    await consoleClient(harness).post('/links/use', { token, password })
    const { data } = (await owner.get('/users')).body as { data: { id: string; email: string }[] }
    const hidden = data.find((user) => user.email === 'elsewhere@example.com')?.id ?? ''
    for (const act of [
      (id: string) => admin.patch(`/users/${id}`, { disabled: true }),
      (id: string) => admin.post(`/users/${id}/sign-out`),
      (id: string) => admin.post(`/users/${id}/password-reset`),
      (id: string) => admin.delete(`/users/${id}/second-factor`),
    ]) {
      const [refused, unknown] = [await act(hidden), await act(newId('user'))]
      expect([refused.status, refused.body]).toEqual([404, unknown.body])
    }
    const signedIn = await consoleClient(harness).post('/login', {
      email: 'elsewhere@example.com',
      password,
    })
    // Neither disabled nor reset: the password still works, and a user without a factor is asked to enrol.
    expect(signedIn.body.state).toBe('enrolment')
  })
})
