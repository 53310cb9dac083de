import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Check, Decision } from '@kyc/common'
import { modelsDir, sharedDir } from '@kyc/testing'
import { type Api, apiClient } from './support/api.ts'
import { person, submitSession } from './support/journey.ts'
import { facePhotos } from './support/photos.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { exampleHolder, type Holder, specimenPassport } from './support/specimen.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

const photos = facePhotos()
const complete =
  photos !== null &&
  modelsDir() !== null &&
  sharedDir('data', 'sanctions', 'lists', 'ofac_2024-05-03') !== null
if (!complete)
  process.stdout.write(
    'skipped: the journeys that need face photos, models and lists (no shared data here)\n',
  )
const withData = complete ? describe : describe.skip

let system: TestSystem
let receiver: Receiver
let api: Api

beforeAll(async () => {
  receiver = await startReceiver()
  system = await startTestSystem({ WEBHOOK_URL: receiver.url })
  receiver.useSecret(system.app.webhook_secret)
  api = apiClient(system.url, system.app.api_key)
})
afterAll(async () => {
  await system.close()
  await receiver.close()
})

const finalStatuses = ['approved', 'declined', 'in_review']
const decided = (sessionId: string) =>
  receiver.until((item) => item.data.session_id === sessionId && finalStatuses.includes(item.data.status))
const decisionOf = async (sessionId: string) =>
  (await api.get<Decision>(`/v1/sessions/${sessionId}/decision`)).body
const checkOf = (decision: Decision, kind: Check['kind']) =>
  decision.checks.find((check) => check.kind === kind)

withData('a verification, over HTTP from link to webhook', () => {
  const { same, other } = photos ?? { same: [], other: '' }
  const [portrait, selfie] = same.map((file) => readFileSync(file))

  test('of the person on the document is approved, and every transition arrives signed', async () => {
    const document = await specimenPassport(exampleHolder, portrait)
    const session = await submitSession(
      api,
      system.url,
      { document, selfie: selfie as Buffer },
      { vendor_data: 'first' },
    )
    await decided(session.session_id)
    const decision = await decisionOf(session.session_id)
    expect(
      decision.checks.map(({ kind, status, warnings }) => ({
        kind,
        status,
        codes: warnings.map((w) => w.code),
      })),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'document', status: 'passed' }),
        expect.objectContaining({ kind: 'face_match', status: 'passed' }),
      ]),
    )
    expect(decision).toMatchObject({ status: 'approved', decision_reason: null })
    expect(decision.identity).toMatchObject({
      full_name: 'ERIKA MARIA BEISPIEL',
      date_of_birth: '1985-04-12',
      document_number_masked: 'X0Y1Z****',
      expiry_date: '2033-01-01',
    })
    expect(receiver.statusesOf(session.session_id)).toEqual(['in_progress', 'processing', 'approved'])
    expect(receiver.refused()).toBe(0)
  })

  test("with another person's face is not approved", async () => {
    const holder: Holder = { ...exampleHolder, surname: 'MUSTER', document_number: 'X0Y1Z2B56' }
    const document = await specimenPassport(holder, portrait)
    const session = await submitSession(api, system.url, { document, selfie: readFileSync(other) })
    const event = await decided(session.session_id)
    expect(event.data.status).toBe('in_review')
    const decision = await decisionOf(session.session_id)
    expect(checkOf(decision, 'face_match')?.status).toBe('failed')
  })

  test('of a listed name goes to review; the client decides; the purge leaves a tombstone', async () => {
    const holder: Holder = { ...exampleHolder, ...listedIndividual(), document_number: 'X0Y1Z2C78' }
    const document = await specimenPassport(holder, portrait)
    // The client identifies the same customer as before, so the face is no duplicate.
    const session = await submitSession(
      api,
      system.url,
      { document, selfie: selfie as Buffer },
      { vendor_data: 'first' },
    )
    const event = await decided(session.session_id)
    expect(event.data).toMatchObject({
      status: 'in_review',
      decision: { decision_reason: 'aml_potential_match' },
    })

    const path = `/v1/sessions/${session.session_id}`
    const declined = await api.patch(`${path}/status`, { status: 'declined', note: 'seen' })
    expect(declined).toMatchObject({
      status: 200,
      body: { status: 'declined', review: { note: 'seen', reviewed_by: null } },
    })
    expect(await api.patch(`${path}/status`, { status: 'approved' })).toMatchObject({ status: 409 })
    await receiver.until(
      (item) => item.data.session_id === session.session_id && item.data.status === 'declined',
    )

    expect((await api.delete(path)).status).toBe(204)
    const left = await decisionOf(session.session_id)
    expect(left).toMatchObject({
      status: 'declined',
      metadata: {},
      identity: { full_name: null, sources: {} },
    })
    expect(JSON.stringify(left)).not.toContain(holder.surname)
  })

  test('of a face known as another customer goes to review as a duplicate', async () => {
    const holder: Holder = { ...exampleHolder, surname: 'VORBILD', document_number: 'X0Y1Z2E12' }
    const document = await specimenPassport(holder, portrait)
    const session = await submitSession(
      api,
      system.url,
      { document, selfie: selfie as Buffer },
      { vendor_data: 'second' },
    )
    const event = await decided(session.session_id)
    expect(event.data).toMatchObject({ status: 'in_review', decision: { decision_reason: 'duplicate_face' } })
  })
})

/** The first individual of the published file whose name consists of two plain words. */
function listedIndividual(): { surname: string; given_names: string } {
  const file = sharedDir('data', 'sanctions', 'lists', 'ofac_2024-05-03', 'sdn.csv')
  const row = /^\d+,"([A-Z]{4,}), ([A-Z][a-z]{3,})","individual"/m.exec(readFileSync(file ?? '', 'utf8'))
  return { surname: row?.[1] ?? '', given_names: row?.[2]?.toUpperCase() ?? '' }
}

describe('a verification without face photos', () => {
  test('of a document only is read, decided, and never approved without its other checks', async () => {
    const created = await api.post<{ session_id: string; session_token: string }>('/v1/sessions', {})
    const someone = person(system.url, created.body)
    expect((await someone.submit()).status).toBe(409)
    await someone.consent()
    const upload = await someone.document(
      await specimenPassport({ ...exampleHolder, document_number: 'X0Y1Z2D90' }),
    )
    expect(upload).toMatchObject({ status: 200, body: { accepted: true } })
    const missing = await someone.submit()
    expect(missing).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect(JSON.stringify(missing.body)).toContain('liveness')
  })

  test('in which consent is refused is declined', async () => {
    const created = await api.post<{ session_id: string; session_token: string }>('/v1/sessions', {})
    const someone = person(system.url, created.body)
    await someone.flow.post('/consent', { accepted: false, version: '1' })
    const event = await receiver.until(
      (item) => item.data.session_id === created.body.session_id && item.data.status === 'declined',
    )
    expect(event.data.decision?.decision_reason).toBe('consent_declined')
  })
})
