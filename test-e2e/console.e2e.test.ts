import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  allConsoleEndpoints,
  type ConsoleOperationId,
  defaultWorkflowConfig,
  type Endpoint,
} from '@kyc/common'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { type Api, apiClient } from './support/api.ts'
import { blankPage } from './support/blank-page.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol } from './support/console.ts'
import { submitSession } from './support/journey.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'
import { until } from './support/until.ts'

let system: TestSystem
let owner: ConsoleClient
let receiver: Receiver
let mail: { url: string; sent: string[]; close(): void }
/** The app of the first start, and another one with an object of each kind. */
let mine: string
let other: string
let objects: Record<string, string>

async function startMail() {
  const sent: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        sent.push(Buffer.concat(chunks).toString('utf8'))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, sent, close: () => server.close() }
}

/** The token of the link in a mail. */
function linkIn(letter: string): string {
  const plain = letter.replace(/=\r\n/g, '').replace(/=3D/g, '=')
  return /\/console\/link#([A-Za-z0-9]+)/.exec(plain)?.[1] ?? ''
}
let invitedBy = ''

beforeAll(async () => {
  mail = await startMail()
  receiver = await startReceiver()
  system = await startTestSystem({ SMTP_URL: mail.url })
  owner = consoleClient(system.url)
  await signInAndEnrol(owner, system.app.console)
  mine = (await owner.get('/apps')).body.data[0].app_id
  const made = await owner.post('/apps', { name: 'Other', environment: 'test', webhook_url: receiver.url })
  other = made.body.app.app_id
  receiver.useSecret(made.body.webhook_secret)
  const backend = apiClient(system.url, made.body.api_key)
  const reviewed = await reviewedSession(backend)
  const ping = await owner.post(`/apps/${other}/webhook/ping`)
  objects = {
    ...reviewed,
    workflow_id: made.body.workflow_id,
    delivery_id: ping.body.delivery_id,
    key_id: (await owner.get(`/apps/${other}/keys`)).body.data[0].id,
    // Fixed segments of the path, not objects.
    kind: 'document',
    version: '1',
  }
})

/** A session of the other app with an image, a match and a blocked document. */
async function reviewedSession(backend: Api): Promise<Record<string, string>> {
  const page = await blankPage()
  const body = { metadata: { test_scenario: 'aml_match' } }
  const { session_id } = await submitSession(backend, system.url, { document: page, selfie: page }, body)
  await until(
    () => backend.get<{ status: string }>(`/v1/sessions/${session_id}`),
    (answer) => answer.body.status === 'in_review',
  )
  const shown = (await owner.get(`/apps/${other}/sessions/${session_id}`)).body
  const aml = shown.decision.checks.find((check: { kind: string }) => check.kind === 'aml')
  const blocked = await owner.post(`/apps/${other}/block-list`, { session_id, kind: 'document' })
  expect(blocked.status).toBe(201)
  const view = await owner.post(`/apps/${other}/views`, { page: 'queue', name: 'Mine', filters: {} })
  expect(view.status).toBe(201)
  return {
    session_id,
    view_id: view.body.id,
    object_id: shown.evidence[0].object_id,
    match_id: aml.data.matches[0].match_id,
    entry_id: blocked.body.id,
  }
}
afterAll(async () => {
  await system.close()
  await receiver.close()
  mail.close()
})

describe('keys', () => {
  test('are accepted by the gateway as soon as they are shown, and rejected within a second of revocation', async () => {
    const made = await owner.post(`/apps/${mine}/keys`, { name: 'For a moment' })
    const backend = apiClient(system.url, made.body.key)
    expect((await backend.get('/v1/workflows')).status).toBe(200)
    const used = await owner.get(`/apps/${mine}/keys`)
    expect(used.body.data.map((key: { name: string }) => key.name)).toContain('For a moment')
    expect((await owner.delete(`/apps/${mine}/keys/${made.body.api_key.id}`)).status).toBe(200)
    const revokedAt = performance.now()
    await until(
      () => backend.get('/v1/workflows'),
      (answer) => answer.status === 401,
    )
    expect(performance.now() - revokedAt).toBeLessThan(1_000)
  })
})

describe('the webhook secret', () => {
  test('once rotated, is the only one that signs the next delivery', async () => {
    const pinged = await owner.post(`/apps/${other}/webhook/ping`)
    await receiver.until((event) => event.delivery_id === pinged.body.delivery_id)
    const rotated = await owner.post(`/apps/${other}/webhook/rotate-secret`)
    expect(rotated.body.secret).toMatch(/^whsec_/)
    const refusedBefore = receiver.refused()
    const byNewSecret = await owner.post(`/apps/${other}/webhook/ping`)
    // The receiver still verifies with the old secret.
    await until(
      async () => receiver.refused(),
      (refused) => refused > refusedBefore,
    )
    const refused = await until(
      () => owner.get(`/apps/${other}/deliveries/${byNewSecret.body.delivery_id}`),
      (answer) => answer.body.attempts.length > 0,
    )
    expect(refused.body.attempts[0]).toMatchObject({ number: 1, status_code: 401 })
    expect(refused.body.next_attempt_at).not.toBeNull()
    receiver.useSecret(rotated.body.secret)
    const redelivered = await owner.post(`/apps/${other}/deliveries/${pinged.body.delivery_id}/redeliver`)
    expect(redelivered.status).toBe(200)
    await until(
      async () => receiver.received.filter((event) => event.delivery_id === pinged.body.delivery_id),
      (events) => events.length === 2,
    )
    expect((await owner.get(`/apps/${other}/webhook`)).body.secret_masked).not.toBe(rotated.body.secret)
  })
})

describe('branding', () => {
  test('changed in the console appears in the hosted flow', async () => {
    const logo = 'data:image/png;base64,iVBORw0KGgo='
    const look = { name: 'Bank of Examples', accent: '#7a1fa2', logo_url: logo }
    expect((await owner.patch(`/apps/${mine}`, look)).status).toBe(200)
    const backend = apiClient(system.url, system.app.api_key)
    const created = await backend.post<{ session_token: string }>('/v1/sessions', {})
    const flow = apiClient(system.url, null)
    await until(
      () => flow.get<{ app: object }>(`/flow/${created.body.session_token}/state`),
      (state) => (state.body.app as { name: string }).name === look.name,
    )
    const state = await flow.get<{ app: object }>(`/flow/${created.body.session_token}/state`)
    expect(state.body.app).toEqual(look)
  })
})

describe('invitations', () => {
  test('are mailed if a mail server is configured, and then nobody else sees the link', async () => {
    const invited = await owner.post('/users/invitations', { email: 'new@example.com', role: 'reviewer' })
    expect(invited.body).toMatchObject({ mailed: true, link: null })
    const token = linkIn(mail.sent.find((text) => text.includes('new@example.com')) ?? '')
    invitedBy = token
    const person = consoleClient(system.url)
    const password = 'a long enough phrase of words'
    expect((await person.post('/links/use', { token, password })).status).toBe(204)
    await signInAndEnrol(person, { email: 'new@example.com', password })
    expect((await person.get('/apps')).status).toBe(200)
  })
})

describe('a forgotten password', () => {
  test('is reset by a mailed link; requesting it does not reveal who has an account', async () => {
    const visitor = consoleClient(system.url)
    const asked = await visitor.post('/password-reset', { email: 'new@example.com' })
    const unknown = await visitor.post('/password-reset', { email: 'nobody@example.com' })
    expect([asked.status, asked.body]).toEqual([unknown.status, unknown.body])
    const token = await until(
      async () => linkIn(mail.sent.filter((text) => text.includes('new@example.com')).at(-1) ?? ''),
      (link) => link !== invitedBy && link !== '',
    )
    const password = 'quite another phrase of words'
    expect((await visitor.post('/links/open', { token })).body.kind).toBe('password_reset')
    expect((await visitor.post('/links/use', { token, password })).status).toBe(204)
    expect((await visitor.post('/login', { email: 'new@example.com', password })).status).toBe(200)
    expect(mail.sent.some((text) => text.includes('nobody@example.com'))).toBe(false)
  })
})

/** Valid bodies, so that the object is looked up. */
const bodies: Partial<Record<ConsoleOperationId, object>> = {
  updateKey: { name: 'Mine now' },
  diffWorkflow: { config: defaultWorkflowConfig() },
  editWorkflow: { name: 'Mine now', config: defaultWorkflowConfig(), version: 1 },
  simulateWorkflow: { config: defaultWorkflowConfig() },
  assignSession: { user_id: null },
  addNote: { text: 'A note' },
  decideConsoleSession: { status: 'approved', sequence: 0 },
  askForAnotherTry: { sequence: 0 },
  reviewMatch: { verdict: 'false_positive' },
}

const pathOf = (endpoint: Endpoint, app: string) =>
  endpoint.path
    .replace('/console/api', '')
    .replace(':app_id', app)
    .replace(/:(\w+)/g, (_, name: string) => objects[name] ?? 'none_1')

const ofObjects = allConsoleEndpoints
  .filter(({ path }) => /\/apps\/:app_id\/.*:/.test(path))
  .map((endpoint) => [endpoint.operationId, endpoint] as const)

describe('an object of another app is not found through mine, even by a user with access to both:', () => {
  test('every kind of object in the paths of an app is covered', () => {
    const named = ofObjects.flatMap(([, { path }]) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]))
    expect([...new Set(named)].filter((name) => name !== 'app_id').sort()).toEqual(
      Object.keys(objects).sort(),
    )
  })

  test.each(ofObjects)('%s', async (operationId, endpoint) => {
    const body = endpoint.body ? bodies[operationId] : undefined
    const answer = await owner.call(endpoint.method.toUpperCase(), pathOf(endpoint, mine), body)
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'not_found'])
  })

  test('and is still found through its own app', async () => {
    const { session_id, workflow_id, delivery_id } = objects
    for (const path of [
      `sessions/${session_id}`,
      `sessions/${session_id}/evidence/${objects.object_id}`,
      `workflows/${workflow_id}`,
      `deliveries/${delivery_id}`,
    ])
      expect((await owner.get(`/apps/${other}/${path}`)).status).toBe(200)
    const blocked = (await owner.get(`/apps/${other}/block-list`)).body.data as { id: string }[]
    expect(blocked.map(({ id }) => id)).toEqual([objects.entry_id])
    const session = (await owner.get(`/apps/${other}/sessions/${session_id}`)).body
    expect(session.session.status).toBe('in_review')
    expect(session.notes).toEqual([])
    const keys = (await owner.get(`/apps/${other}/keys`)).body.data as { id: string; name: string }[]
    expect(keys.find((key) => key.id === objects.key_id)).toMatchObject({ name: 'Other: first key' })
  })
})

test('one changed row of the audit log is reported by its seq', async () => {
  await owner.post('/audit/head')
  expect((await owner.post('/audit/verify')).body).toMatchObject({ verdict: 'proven' })
  const { data } = (await owner.get('/audit?action=key.revoked')).body
  const { seq } = data[0] as { seq: number }
  const client = new pg.Client({ connectionString: system.databaseUrl })
  await client.connect()
  try {
    await client.query('ALTER TABLE console.audit_entry DISABLE TRIGGER USER')
    await client.query(`UPDATE console.audit_entry SET action = 'key.created' WHERE seq = $1`, [seq])
    await client.query('ALTER TABLE console.audit_entry ENABLE TRIGGER USER')
  } finally {
    await client.end()
  }
  expect((await owner.post('/audit/verify')).body).toMatchObject({ verdict: 'broken', first_broken_seq: seq })
})
