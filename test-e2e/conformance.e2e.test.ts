import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createWorkflow, setUpApp, workflowConfig } from '@kyc/common'
import { newId, newToken } from '@kyc/runtime'
import { blankPage } from './support/blank-page.ts'
import { badBodies, conformanceOf, type OpenApi, type Route } from './support/conformance.ts'
import { startReceiver } from './support/receiver.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

type Values = Record<string, string>
type Sent = { status: number; body: Record<string, unknown>; etag: string | null }

let system: TestSystem
let receiver: Awaited<ReturnType<typeof startReceiver>>
let key: string
let workflowWithEmail: string
let photo: Blob
let checks: ReturnType<typeof conformanceOf>

beforeAll(async () => {
  receiver = await startReceiver()
  system = await startTestSystem()
  const app = await system.bus.request(setUpApp, {
    name: 'Conformance',
    environment: 'test',
    webhook_url: receiver.url,
    owner_email: 'owner@localhost.localdomain',
  })
  receiver.useSecret(app.webhook_secret)
  key = app.api_key
  const workflow = await system.bus.request(createWorkflow, {
    app_id: app.app_id,
    name: 'With e-mail',
    is_default: false,
    config: workflowConfig.parse({ steps: { email: { enabled: true } } }),
  })
  workflowWithEmail = workflow.id
  photo = new Blob([new Uint8Array(await blankPage())], { type: 'image/jpeg' })
  checks = conformanceOf((await (await fetch(`${system.url}/openapi.json`)).json()) as OpenApi)
})
afterAll(async () => {
  await system?.close()
  await receiver?.close()
})

const routeOf = (operationId: string): Route => {
  const route = checks.routes.find(({ operation }) => operation.operationId === operationId)
  if (!route) throw new Error(`the document has no ${operationId}`)
  return route
}

/** Sends one request of an operation and validates its response against the document. */
async function send(
  operationId: string,
  values: Values = {},
  body?: unknown,
  options: { key?: string | null; query?: string; known?: string } = {},
): Promise<Sent> {
  const { method, path, operation } = routeOf(operationId)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? nowhere(name)),
  )
  const given = options.key === undefined ? key : options.key
  const isForm = body instanceof FormData
  const response = await fetch(`${system.url}${filled}${options.query ?? ''}`, {
    method,
    headers: {
      ...(given === null ? {} : { 'x-api-key': given }),
      ...(options.known ? { 'if-none-match': options.known } : {}),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  checks.judge(operation, response.status, response.headers, text)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, body: isJson ? JSON.parse(text) : {}, etag: response.headers.get('etag') }
}

const nowhere = (name: string) =>
  name === 'token' ? newToken() : newId(name === 'delivery_id' ? 'delivery' : 'session')

const form = (entries: Record<string, string | Blob>): FormData => {
  const made = new FormData()
  for (const [name, value] of Object.entries(entries)) made.append(name, value)
  return made
}

async function until(what: string, attempt: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    if (await attempt()) return
    await new Promise((resume) => setTimeout(resume, 50))
  }
  throw new Error(`${what} did not happen`)
}

const create = async (body: object) =>
  (await send('createSession', {}, body)).body as { session_id: string; session_token: string }

/** A session from its link to its purge: every operation of sessions, flow and deliveries with a valid request. */
async function wholeLife(): Promise<void> {
  const metadata = { test_scenario: 'aml_match' }
  const { session_id, session_token: token } = await create({ workflow_id: workflowWithEmail, metadata })
  const flow = { token }
  await send('openFlow', flow, undefined, { key: null })
  await send('getFlowState', flow, undefined, { key: null })
  await send('followFlow', flow, undefined, { key: null })
  await send('startFlow', flow, { locale: 'en' })
  await send('createHandoff', flow)
  await send('recordFlowEvent', flow, { name: 'retake' })
  await send('submitFlow', flow)
  await send('giveConsent', flow, { accepted: true, version: '1', locale: 'en' })
  await send('verifyEmail', flow, { email: 'anna@example.org' })
  await send('verifyEmail', flow, { code: '000001' })
  await send('verifyEmail', flow, { code: '000000' })
  await send('uploadDocument', flow, form({ side: 'front', document_type: 'passport', image: photo }))
  const challenge = await send('getLivenessChallenge', flow)
  const { challenge_id } = challenge.body as { challenge_id: string }
  await send('uploadLiveness', flow, form({ challenge_id, frames: photo }))
  await send('submitFlow', flow)
  await send('purgeSession', { session_id })
  const session = { session_id }
  await until('the decision', async () => (await send('getSession', session)).body.status === 'in_review')
  await send('getDecision', session)
  await send('getReceipt', session)
  await send('decideSession', session, { status: 'approved', note: 'seen' })
  await send('decideSession', session, { status: 'approved' })
  await deliveriesOf(session_id)
  await send('getPurgeCertificate', session)
  await send('purgeSession', session)
  await until(
    'the purge certificate',
    async () => (await send('getPurgeCertificate', session)).status === 200,
  )
  await send('getDecision', session)
}

async function deliveriesOf(sessionId: string): Promise<void> {
  await receiver.until(({ data }) => data.session_id === sessionId && data.status === 'approved')
  const listed = await send('listWebhookDeliveries', {}, undefined, { query: `?session_id=${sessionId}` })
  const [delivery] = listed.body.data as { delivery_id: string }[]
  const values = { delivery_id: String(delivery?.delivery_id) }
  await send('getWebhookDelivery', values)
  await send('getWebhookEvent', values)
  await until('the redelivery', async () => (await send('redeliverWebhook', values)).status === 200)
}

const mrzLines = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
]
const name = { full_name: 'Anna Maria Eriksson', date_of_birth: '1974-08-12', nationality: 'UTO' }

/** Valid bodies for the operations that take JSON, with every optional field of the contract. */
const goodBodies: Record<string, Record<string, unknown>> = {
  createSession: { vendor_data: 'x', metadata: {}, contact: {}, expires_in_hours: 1 },
  decideSession: { status: 'approved', note: 'x' },
  screenName: name,
  screenNames: { names: [{ id: '1', ...name }] },
  validatePan: { pan: 'ABCPE1234F', name: 'Anna Eriksson' },
  parseMrz: { lines: mrzLines },
  verifySecureQr: { qr_text: '123' },
  advanceTestSession: { to: 'processing' },
  startFlow: { locale: 'en' },
  giveConsent: { accepted: true, version: '1' },
  recordFlowEvent: { name: 'retake' },
}

async function standaloneChecks(): Promise<void> {
  for (const id of ['screenName', 'screenNames', 'validatePan', 'parseMrz', 'verifySecureQr']) {
    await send(id, {}, goodBodies[id])
  }
  await send('parseMrz', {}, { lines: ['no zone'] })
  await send('matchFaces', {}, form({ image_a: photo, image_b: photo }))
  await send('readDocument', {}, form({ image: photo, document_type: 'passport' }))
}

/** Invalid in every way that can be derived from the document. */
async function everyMistake(): Promise<void> {
  for (const { operation } of checks.routes) {
    const id = operation.operationId
    const content = operation.requestBody?.content
    if (operation.security.length > 0) await send(id, {}, undefined, { key: null })
    const schema = content?.['application/json']?.schema as Record<string, unknown> | undefined
    const good = goodBodies[id]
    if (schema && good) {
      // Requests with unknown flow tokens are rate-limited before their bodies are read.
      const ofLink = operation.parameters.some(({ name: parameter }) => parameter === 'token')
      const values: Record<string, string> = ofLink ? { token: (await create({})).session_token } : {}
      for (const { why, body } of badBodies(schema, good)) {
        const answer = await send(id, values, body)
        expect([id, why, answer.status]).toEqual([id, why, 400])
      }
    }
    if (content?.['multipart/form-data']) {
      await send(id, {}, { not: 'multipart' })
      await send(id, {}, form({ other: 'x' }))
    }
    for (const { name: parameter, in: place } of operation.parameters) {
      if (place === 'query') await send(id, {}, undefined, { query: `?${parameter}=%00&${parameter}=2` })
    }
    if (operation.parameters.some(({ in: place }) => place === 'path')) await send(id, {}, good)
  }
}

test('every response of every operation, success or error, conforms to the document', async () => {
  await send('getHealth', {}, undefined, { key: null })
  await send('getOpenApi', {}, undefined, { key: null })
  await wholeLife()
  for (const id of ['listSessions', 'listWorkflows', 'listSigningKeys', 'listTestScenarios']) {
    const { etag } = await send(id)
    if (etag) expect((await send(id, {}, undefined, { known: etag })).status).toBe(304)
  }
  const { session_id } = await create({})
  await send('advanceTestSession', { session_id }, { to: 'in_progress' })
  await send('advanceTestSession', { session_id }, { to: 'expired' })
  await standaloneChecks()
  await everyMistake()

  expect(checks.findings).toEqual([])
  const silent = checks.routes.filter(({ operation }) => !checks.seen.has(operation.operationId))
  expect(silent.map(({ operation }) => operation.operationId)).toEqual([])
  // Without models, a face or a certificate these can only be rejected here; their own suites test success.
  const refusedHere = new Set(['matchFaces', 'readDocument', 'verifySecureQr'])
  const unsuccessful = checks.routes
    .map(({ operation }) => operation.operationId)
    .filter((id) => ![...(checks.seen.get(id) ?? [])].some((status) => status < 300) && !refusedHere.has(id))
  expect(unsuccessful).toEqual([])
})

test('an undocumented field and an undocumented status are found', () => {
  const health = routeOf('getHealth')
  const { judge, findings } = conformanceOf({
    paths: { [health.path]: { get: health.operation } },
    components: { schemas: {} },
  })
  const { operation } = health
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() })
  judge(operation, 200, headers, '{"ok":true}')
  expect(findings).toEqual([])
  judge(operation, 200, headers, '{"ok":true,"secret":1}')
  judge(operation, 418, headers, '{}')
  expect(findings.map(({ status }) => status)).toEqual([200, 418])
})
