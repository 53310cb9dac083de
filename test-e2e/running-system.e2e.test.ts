import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Decision } from '@kyc/common'
import { apiClient } from './support/api.ts'
import { blankPage } from './support/blank-page.ts'
import { person, submitSession } from './support/journey.ts'
import { facePhotos } from './support/photos.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { exampleHolder, specimenPassport } from './support/specimen.ts'

/**
 * The journey against a system that is already running: from infra/compose/verify.mjs, or a cluster. Uses
 * KYC_SYSTEM_URL and the API key and webhook secret of one of its apps, whose webhooks arrive on
 * KYC_SYSTEM_WEBHOOK_PORT of this machine.
 */
const {
  KYC_SYSTEM_URL: url = '',
  KYC_SYSTEM_API_KEY: key = '',
  KYC_SYSTEM_WEBHOOK_SECRET: secret = '',
  KYC_SYSTEM_WEBHOOK_PORT: port = '0',
} = process.env
if (url === '')
  process.stdout.write('skipped: the journey against a running system (KYC_SYSTEM_URL is not set)\n')

;(url === '' ? describe.skip : describe)('a running system', () => {
  const api = apiClient(url, key)
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver({ host: '0.0.0.0', port: Number(port) })
    receiver.useSecret(secret)
  })
  afterAll(() => receiver.close())

  test('serves its API, the pages of flow and console, and its guide', async () => {
    const document = await api.get<{ openapi: string }>('/openapi.json')
    expect(document).toMatchObject({ status: 200, body: { openapi: expect.stringMatching(/^3\.1/) } })
    const created = await api.post<{ url: string; session_token: string }>('/v1/sessions', {})
    expect(created.status).toBe(201)
    for (const path of [`/flow/${created.body.session_token}`, '/console', '/docs']) {
      const page = await fetch(`${url}${path}`)
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        200,
        expect.stringContaining('text/html'),
      ])
    }
  }, 60_000)

  test('notifies the client when a person refuses consent', async () => {
    const created = await api.post<{ session_id: string; session_token: string }>('/v1/sessions', {})
    await person(url, created.body).flow.post('/consent', { accepted: false, version: '1' })
    const event = await receiver.until(
      (item) => item.data.session_id === created.body.session_id && item.data.status === 'declined',
    )
    expect(event.data.decision?.decision_reason).toBe('consent_declined')
  }, 90_000)

  test('decides a complete session, sends the signed webhook, and purges it on request', async () => {
    const photos = facePhotos()
    const [portrait, selfie] = photos ? photos.same.map((file) => readFileSync(file)) : []
    const document = portrait ? await specimenPassport(exampleHolder, portrait) : await blankPage()
    const session = await submitSession(api, url, { document, selfie: selfie ?? document })
    const event = await receiver.until(
      (item) =>
        item.data.session_id === session.session_id && ['approved', 'in_review'].includes(item.data.status),
      150_000,
    )
    // Without photos of faces the images are not conclusive, and a reviewer decides.
    expect(event.data.status).toBe(photos ? 'approved' : 'in_review')
    const decision = await api.get<Decision>(`/v1/sessions/${session.session_id}/decision`)
    expect(decision).toMatchObject({ status: 200, body: { status: event.data.status } })
    expect((await api.delete(`/v1/sessions/${session.session_id}`)).status).toBe(204)
    expect(receiver.refused()).toBe(0)
  }, 240_000)

  test('screens names against its lists', async () => {
    const screened = await api.post<{ lists: unknown[] }>('/v1/checks/aml', { full_name: 'Erika Beispiel' })
    expect(screened.status).toBe(200)
    expect(screened.body.lists.length).toBeGreaterThan(0)
  }, 60_000)
})
