import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sealContexts, sessionStatusChanged } from '@kyc/common'
import { answer, passAll, type SessionHarness, startSessionService, submitted } from './harness.ts'

let monitored: SessionHarness
let plain: SessionHarness
beforeAll(async () => {
  monitored = await startSessionService({ steps: { aml: { monitor: true } } })
  plain = await startSessionService()
})
afterAll(async () => {
  await monitored.close()
  await plain.close()
})

const warnings = [
  { code: 'aml_potential_match', severity: 'medium' as const, message: 'm', field: null, details: null },
]
const found = {
  kind: 'aml',
  status: 'warning',
  score: 0.97,
  warnings,
  data: { matches: [{ match_id: 'mat_1' }] },
} as const
const monitoring = { monitoring: true }

async function approved(harness: SessionHarness): Promise<string> {
  const sessionId = await submitted(harness)
  await passAll(harness, sessionId)
  return sessionId
}

async function decisionOf(harness: SessionHarness, sessionId: string) {
  const { body } = await harness.api
    .get(`/v1/sessions/${sessionId}/decision`)
    .set(harness.headers)
    .expect(200)
  return body
}

async function eventsOf(harness: SessionHarness, sessionId: string) {
  const { rows } = await harness.database.query<{
    payload: { status: string; decision_reason: string | null; sealed_decision: string | null }
  }>('SELECT payload FROM outbox WHERE name = $1 AND ordering_key = $2 ORDER BY seq', [
    sessionStatusChanged.name,
    sessionId,
  ])
  return rows.map((row) => row.payload)
}

test('sends an approved session to review once after a list update, with the match in its check and event', async () => {
  const sessionId = await approved(monitored)
  const before = await decisionOf(monitored, sessionId)
  await answer(monitored, sessionId, found, monitoring)
  await answer(monitored, sessionId, found, monitoring)
  await monitored.drain()

  const decision = await decisionOf(monitored, sessionId)
  expect(decision).toMatchObject({ status: 'in_review', decision_reason: 'aml_potential_match' })
  expect(decision.completed_at).toBe(before.completed_at)
  const aml = decision.checks.find((check: { kind: string }) => check.kind === 'aml')
  expect(aml).toMatchObject({ status: 'warning', score: 0.97, data: { matches: [{ match_id: 'mat_1' }] } })
  const told = await eventsOf(monitored, sessionId)
  expect(told.map(({ status }) => status)).toEqual(['in_progress', 'processing', 'approved', 'in_review'])
  const sealed = Buffer.from(told[3]?.sealed_decision ?? '', 'base64')
  const scope = { app_id: monitored.appId, session_id: sessionId }
  expect(await monitored.deps.vault.open(scope, sealContexts.decision, sealed)).toEqual(decision)
})

test('sends a session that a reviewer approved again back to review on a further update', async () => {
  const sessionId = await approved(monitored)
  await answer(monitored, sessionId, found, monitoring)
  await monitored.drain()
  await monitored.api
    .patch(`/v1/sessions/${sessionId}/status`)
    .set(monitored.headers)
    .send({ status: 'approved' })
    .expect(200)
  await answer(monitored, sessionId, { ...found, score: 0.99 }, monitoring)
  await monitored.drain()
  expect((await decisionOf(monitored, sessionId)).status).toBe('in_review')
  expect((await eventsOf(monitored, sessionId)).map(({ status }) => status).slice(2)).toEqual([
    'approved',
    'in_review',
    'approved',
    'in_review',
  ])
})

test('ignores sessions that are declined, purged or not monitored by their workflow', async () => {
  const declined = await approved(monitored)
  await answer(monitored, declined, found, monitoring)
  await monitored.drain()
  await monitored.api
    .patch(`/v1/sessions/${declined}/status`)
    .set(monitored.headers)
    .send({ status: 'declined' })
    .expect(200)
  const purged = await approved(monitored)
  await answer(monitored, purged, found, monitoring)
  await monitored.api.delete(`/v1/sessions/${purged}`).set(monitored.headers).expect(204)
  const unmonitored = await approved(plain)
  await answer(plain, unmonitored, found, monitoring)
  await answer(monitored, declined, { ...found, score: 0.99 }, monitoring)
  await monitored.drain()
  await plain.drain()

  expect((await decisionOf(monitored, declined)).status).toBe('declined')
  expect(await decisionOf(plain, unmonitored)).toMatchObject({ status: 'approved', decision_reason: null })
  const { body } = await monitored.api.get(`/v1/sessions/${purged}`).set(monitored.headers).expect(200)
  expect(body.purged_at).not.toBeNull()
  expect(['approved', 'expired']).toContain(body.status)
})
