import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Decision, setUpApp, type TestScenario } from '@kyc/common'
import { type Api, apiClient } from './support/api.ts'
import { blankPage } from './support/blank-page.ts'
import { submitSession } from './support/journey.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

let system: TestSystem
let receiver: Receiver
let api: Api
let scenarios: TestScenario[]
let photos: { document: Buffer; selfie: Buffer }

beforeAll(async () => {
  receiver = await startReceiver()
  // Neither models nor lists, because a scenario needs none.
  system = await startTestSystem({ WEBHOOK_URL: receiver.url, MODELS_DIR: '/nonexistent', SANCTIONS_DIR: '' })
  receiver.useSecret(system.app.webhook_secret)
  api = apiClient(system.url, system.app.api_key)
  scenarios = (await api.get<{ data: TestScenario[] }>('/v1/test/scenarios')).body.data
  const page = await blankPage()
  photos = { document: page, selfie: page }
})
afterAll(async () => {
  await system?.close()
  await receiver?.close()
})

const finals = ['approved', 'declined', 'in_review']

async function expectOutcome(sessionId: string, { outcome, check }: TestScenario): Promise<void> {
  const event = await receiver.until(
    ({ data }) => data.session_id === sessionId && finals.includes(data.status),
  )
  expect(event.data).toMatchObject({
    status: outcome.status,
    previous_status: 'processing',
    decision: { decision_reason: outcome.decision_reason },
  })
  const { body } = await api.get<Decision>(`/v1/sessions/${sessionId}/decision`)
  expect(body).toMatchObject(outcome)
  const open = body.checks.filter(({ status }) => status !== 'passed')
  if (check === null) {
    expect(open).toEqual([])
    return
  }
  expect(open.map(({ kind, status }) => ({ kind, status }))).toEqual([
    { kind: check.kind, status: check.status },
  ])
  if (check.warning_code) expect(open[0]?.warnings.map(({ code }) => code)).toContain(check.warning_code)
  expect(receiver.statusesOf(sessionId)).toEqual(['in_progress', 'processing', outcome.status])
}

describe('every scenario ends as documented', () => {
  test('through the hosted flow, with any photo', async () => {
    expect(scenarios).toHaveLength(10)
    for (const scenario of scenarios) {
      const metadata = { test_scenario: scenario.scenario }
      const session = await submitSession(api, system.url, photos, { metadata })
      await expectOutcome(session.session_id, scenario)
    }
  })

  test('by advance only, with the same events', async () => {
    for (const scenario of scenarios) {
      const created = await api.post<{ session_id: string }>('/v1/sessions', {
        metadata: { test_scenario: scenario.scenario },
      })
      const { session_id } = created.body
      const path = `/v1/test/sessions/${session_id}/advance`
      expect(await api.post(path, { to: scenario.outcome.status })).toMatchObject({ status: 200 })
      await expectOutcome(session_id, scenario)
    }
  })
})

test('with a live key there is no test mode, and metadata.test_scenario has no effect', async () => {
  const live = await system.bus.request(setUpApp, {
    name: 'Live',
    environment: 'live',
    webhook_url: null,
    owner_email: 'owner@localhost.localdomain',
  })
  const liveApi = apiClient(system.url, live.api_key)
  expect(live.api_key).toMatch(/^kyc_live_/)
  expect((await liveApi.get('/v1/test/scenarios')).status).toBe(404)
  const created = await liveApi.post<{ session_id: string }>('/v1/sessions', {
    metadata: { test_scenario: 'approved' },
  })
  expect(created.status).toBe(201)
  const path = `/v1/test/sessions/${created.body.session_id}/advance`
  expect((await liveApi.post(path, { to: 'approved' })).status).toBe(404)
})
