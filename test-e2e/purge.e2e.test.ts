import { spawnSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Decision, SignedPurgeCertificate, SignedReceipt } from '@kyc/common'
import { type Api, apiClient } from './support/api.ts'
import { blankPage } from './support/blank-page.ts'
import { person } from './support/journey.ts'
import { dumpTables } from './support/plaintext-search.ts'
import { type ServiceProcess, startProcess, untilUp } from './support/process.ts'
import { temporaryFolder, testEnvironment } from './support/system.ts'
import { until } from './support/until.ts'

/** Milliseconds after the purge at which the whole system is killed: before, between and after the services' parts. */
const killsAfterMs = (process.env.KYC_PURGE_KILLS ?? '5,45').split(',').map(Number)

let folder: string
let environment: Record<string, string>
let running: ServiceProcess
let api: Api
let url: string

async function start(): Promise<void> {
  running = startProcess('standalone', environment)
  await untilUp(`${url}/health`, running)
}

beforeAll(async () => {
  folder = await temporaryFolder()
  environment = await testEnvironment(folder)
  url = `http://127.0.0.1:${environment.PORT}`
  await start()
  const app = JSON.parse(await readFile(join(folder, 'standalone.json'), 'utf8')) as { api_key: string }
  api = apiClient(url, app.api_key)
})
afterAll(async () => {
  await running.kill()
  await rm(folder, { recursive: true, force: true })
})

/** A session with document, liveness attempts, checks and a decision. */
async function decided(): Promise<string> {
  const photo = await blankPage()
  const created = await api.post<{ session_id: string; session_token: string }>('/v1/sessions', {
    metadata: { who: 'Erika Beispiel' },
  })
  const someone = person(url, created.body)
  await someone.consent()
  for (let tries = 0; tries < 3; tries++) if ((await someone.document(photo)).body.accepted) break
  for (let tries = 0; tries < 3; tries++) if ((await someone.liveness(photo)).body.accepted) break
  expect((await someone.submit()).status).toBe(200)
  const path = `/v1/sessions/${created.body.session_id}`
  await until(
    () => api.get<{ status: string }>(path),
    (answer) => ['approved', 'declined', 'in_review'].includes(answer.body.status),
  )
  return created.body.session_id
}

const certificateOf = (sessionId: string) =>
  until(
    () => api.get<SignedPurgeCertificate>(`/v1/sessions/${sessionId}/purge-certificate`),
    (answer) => answer.status === 200,
    90_000,
  )

async function databaseUrl(): Promise<string> {
  const postmaster = await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8')
  const password = (await readFile(join(folder, 'postgres', 'postgres-password'), 'utf8')).trim()
  return `postgresql://kyc:${password}@127.0.0.1:${postmaster.split('\n')[3]}/kyc`
}

/**
 * Tables that may name a purged session: its tombstone, the progress of the purge, codes, deliveries, audit log, an
 * hour of live updates.
 */
const mayName =
  /^(session\.(session|session_check|decision|session_event|purge|purge_confirmation|outbox)|console\.(audit_entry|live_event|outbox)|flow\.(flow_event|outbox)|webhook_dispatcher\.(delivery|outbox)|face_biometrics\.(face|outbox)|checks\.outbox|sanctions_screening\.outbox|bus\..*)$/

test('a purge that is killed at any point resumes up to its certificate, and leaves nothing', async () => {
  for (const afterMs of killsAfterMs) {
    const sessionId = await decided()
    const purge = api.delete(`/v1/sessions/${sessionId}`).catch(() => undefined)
    await new Promise((resume) => setTimeout(resume, afterMs))
    await running.kill('SIGKILL')
    const acknowledged = await purge
    await start()
    const read = await api.get<{ purged_at: string | null }>(`/v1/sessions/${sessionId}`)
    // A purge that returned 204 completes after the crash; any other may be requested again.
    if (acknowledged?.status === 204) expect(read.body.purged_at).not.toBeNull()
    if (read.body.purged_at === null) expect((await api.delete(`/v1/sessions/${sessionId}`)).status).toBe(204)
    const { payload } = (await certificateOf(sessionId)).body
    expect(payload.services).toHaveLength(7)
    for (const service of payload.services)
      expect(Object.values(service.remaining).every((count) => count === 0)).toBe(true)
    const named = [...(await dumpTables(await databaseUrl()))]
      .filter(([, text]) => text.includes(sessionId))
      .map(([table]) => table)
    expect(named.filter((table) => !mayName.test(table))).toEqual([])
    const decision = await api.get<Decision>(`/v1/sessions/${sessionId}/decision`)
    expect(decision.body).toMatchObject({ metadata: {}, identity: { full_name: null } })
  }
})

test('receipt and certificate verify offline with the published key, and fail when a digit is changed', async () => {
  const sessionId = await decided()
  const path = `/v1/sessions/${sessionId}`
  const file = (name: string) => join(folder, `${name}.json`)
  const keep = (name: string, value: unknown) => writeFile(file(name), JSON.stringify(value, null, 2))
  const command = fileURLToPath(new URL('../packages/attestation/dist/command.js', import.meta.url))
  const verify = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' })

  await keep('keys', (await api.get('/v1/signing-keys')).body)
  const receipt = (await api.get<SignedReceipt>(`${path}/receipt`)).body
  const decision = (await api.get<Decision>(`${path}/decision`)).body
  await keep('receipt', receipt)
  await keep('decision', decision)
  const held = verify(file('receipt'), '--keys', file('keys'), '--decision', file('decision'))
  expect({ status: held.status, said: held.stdout }).toEqual({
    status: 0,
    said: 'valid receipt, and the decision is the signed one\n',
  })
  expect(receipt.payload.evidence.length).toBeGreaterThanOrEqual(2)
  expect(receipt.payload.checks.some((check) => check.engine !== null)).toBe(true)

  await keep('forged', {
    ...receipt,
    payload: { ...receipt.payload, status: 'approved', decision_reason: null },
  })
  expect(verify(file('forged'), '--keys', file('keys')).status).toBe(1)
  await keep('other', { ...decision, metadata: {}, checks: decision.checks.slice(1) })
  const other = verify(file('receipt'), '--keys', file('keys'), '--decision', file('other'))
  expect({ status: other.status, said: other.stdout }).toMatchObject({
    status: 1,
    said: expect.stringContaining('the consent check is missing'),
  })

  expect((await api.delete(path)).status).toBe(204)
  await keep('certificate', (await certificateOf(sessionId)).body)
  expect(verify(file('certificate'), '--keys', file('keys')).stdout).toBe('valid certificate\n')
  expect((await api.get(`${path}/receipt`)).status).toBe(409)
})
