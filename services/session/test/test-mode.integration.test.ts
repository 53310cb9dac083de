import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sessionSubmitted, testScenarioNames } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { passAll, type SessionHarness, startSessionService } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

const create = async (metadata?: object, h = harness) =>
  (
    await h.api
      .post('/v1/sessions')
      .set(h.headers)
      .send(metadata ? { metadata } : {})
      .expect(201)
  ).body.session_id as string

const advance = (sessionId: string, to: string, h = harness) =>
  h.api.post(`/v1/test/sessions/${sessionId}/advance`).set(h.headers).send({ to })

const statusesOf = async (sessionId: string) => {
  const { rows } = await harness.database.query<{ payload: { status: string } }>(
    `SELECT payload FROM outbox WHERE name = 'session.status_changed' AND ordering_key = $1 ORDER BY seq`,
    [sessionId],
  )
  return rows.map((row) => row.payload.status)
}

const submissionOf = async (sessionId: string) => {
  const { rows } = await harness.database.query<{
    payload: { test_scenario: string; config: { steps: { age: { enabled: boolean } } } }
  }>('SELECT payload FROM outbox WHERE name = $1 AND ordering_key = $2', [sessionSubmitted.name, sessionId])
  return rows[0]?.payload
}

describe('advancing under an idempotency key', () => {
  const keyed = (sessionId: string, to: string) => advance(sessionId, to).set('idempotency-key', 'step')

  test('transitions the session once; the stored response is replayed even after later transitions', async () => {
    const sessionId = await create()
    const first = await keyed(sessionId, 'in_progress').expect(200)
    await advance(sessionId, 'processing').expect(200)
    const again = await keyed(sessionId, 'in_progress').expect(200)
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ])
    expect(again.body).toEqual(first.body)
    const other = await keyed(sessionId, 'expired').expect(409)
    expect(other.body.error.message).toContain('idempotency-key')
    // The key is scoped to the path, so it is free for another session.
    await keyed(await create(), 'expired').expect(200)
  })

  test('leaves no readable stored response after the purge', async () => {
    const sessionId = await create()
    await keyed(sessionId, 'in_progress').expect(200)
    await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
    const { rows } = await harness.database.query(
      'SELECT sealed_body FROM idempotent_reply WHERE app_id = $1 AND session_id = $2',
      [harness.appId, sessionId],
    )
    expect(rows).toEqual([{ sealed_body: null }])
    await keyed(sessionId, 'in_progress').expect(409)
  })
})

describe('a test scenario', () => {
  test('that does not exist is rejected by name, in a test app only', async () => {
    for (const test_scenario of ['aproved', 1, null]) {
      const refused = await harness.api
        .post('/v1/sessions')
        .set(harness.headers)
        .send({ metadata: { test_scenario } })
        .expect(400)
      expect(refused.body.error.message).toContain('metadata.test_scenario')
    }
    const live = await harness.identity({ app_id: harness.appId, environment: 'live' })
    await harness.api
      .post('/v1/sessions')
      .set(live)
      .send({ metadata: { test_scenario: 'anything' } })
      .expect(201)
  })

  test('in a live app is plain metadata without effect', async () => {
    const live = await harness.identity({ app_id: harness.appId, environment: 'live' })
    const created = await harness.api
      .post('/v1/sessions')
      .set(live)
      .send({ metadata: { test_scenario: 'approved' } })
      .expect(201)
    const { rows } = await harness.database.query(
      'SELECT test_scenario, environment FROM session WHERE session_id = $1',
      [created.body.session_id],
    )
    expect(rows).toEqual([{ test_scenario: null, environment: 'live' }])
  })

  test('enables the check it is about, even if the workflow disables it', async () => {
    const sessionId = await create({ test_scenario: 'underage' })
    await advance(sessionId, 'processing').expect(200)
    expect(await submissionOf(sessionId)).toMatchObject({
      test_scenario: 'underage',
      config: { steps: { age: { enabled: true } } },
    })
    const decision = await harness.api
      .get(`/v1/sessions/${sessionId}/decision`)
      .set(harness.headers)
      .expect(200)
    expect(decision.body.checks.map(({ kind }: { kind: string }) => kind)).toContain('age')
  })
})

describe('advance', () => {
  test('makes every transition on the way, each with its event', async () => {
    const sessionId = await create()
    const first = await advance(sessionId, 'in_progress').expect(200)
    expect(first.body).toMatchObject({ session_id: sessionId, status: 'in_progress' })
    const second = await advance(sessionId, 'processing').expect(200)
    expect(second.body).toMatchObject({ status: 'processing' })
    expect(second.body.submitted_at).not.toBeNull()
    await passAll(harness, sessionId)
    expect(await statusesOf(sessionId)).toEqual(['in_progress', 'processing', 'approved'])
    expect((await submissionOf(sessionId))?.test_scenario).toBe('approved')
  })

  test('to the current status changes nothing', async () => {
    const sessionId = await create()
    await advance(sessionId, 'in_progress').expect(200)
    await advance(sessionId, 'in_progress').expect(200)
    expect(await statusesOf(sessionId)).toEqual(['in_progress'])
  })

  test('lets time pass: expired before the start, abandoned after it', async () => {
    const expired = await create()
    expect((await advance(expired, 'expired').expect(200)).body).toMatchObject({
      status: 'expired',
      decision_reason: 'session_expired',
    })
    const abandoned = await create()
    expect((await advance(abandoned, 'abandoned').expect(200)).body).toMatchObject({
      status: 'abandoned',
      decision_reason: 'session_abandoned',
    })
    expect(await statusesOf(abandoned)).toEqual(['in_progress', 'abandoned'])
    const begun = await create()
    await advance(begun, 'in_progress').expect(200)
    await advance(begun, 'expired').expect(409)
  })

  test('to declined refuses consent if the workflow does not auto-decline', async () => {
    const sessionId = await create()
    expect((await advance(sessionId, 'declined').expect(200)).body).toMatchObject({
      status: 'declined',
      decision_reason: 'consent_declined',
    })
  })

  test("moves a session to review and out of it, like a client's decision", async () => {
    const sessionId = await create()
    await advance(sessionId, 'in_review').expect(200)
    expect((await submissionOf(sessionId))?.test_scenario).toBe('aml_match')
    await passAll(harness, sessionId, ['aml'])
    harness.clock.advance({ seconds: 121 })
    harness.headers = await harness.identity({ app_id: harness.appId })
    const decided = await advance(sessionId, 'approved').expect(200)
    expect(decided.body).toMatchObject({ status: 'approved' })
    await advance(sessionId, 'declined').expect(409)
  })

  test("rejects a target that the session's scenario does not lead to", async () => {
    const sessionId = await create({ test_scenario: 'document_expired' })
    const refused = await advance(sessionId, 'approved').expect(409)
    expect(refused.body.error).toMatchObject({ code: 'conflict' })
    expect(refused.body.error.message).toContain('document_expired')
    expect(await statusesOf(sessionId)).toEqual([])
  })

  test('declines by a failed check if the workflow auto-declines', async () => {
    const declining = await startSessionService({ decision: { auto_decline: true } })
    try {
      const sessionId = await create(undefined, declining)
      expect((await advance(sessionId, 'declined', declining).expect(200)).body.status).toBe('processing')
    } finally {
      await declining.close()
    }
  })

  test('rejects an unknown target by name', async () => {
    const refused = await advance(await create(), 'purged').expect(400)
    expect(refused.body.error.message).toContain('to')
  })

  test('returns not_found for a session of another app', async () => {
    const sessionId = await create()
    const other = { ...harness, headers: await harness.identity() }
    const hidden = await advance(sessionId, 'in_progress', other).expect(404)
    const unknown = await advance(newId('session'), 'in_progress').expect(404)
    expect(hidden.body).toEqual(unknown.body)
  })
})

describe('with a live key', () => {
  test('test mode does not exist, whatever is sent', async () => {
    const live = await harness.identity({ app_id: harness.appId, environment: 'live' })
    const nowhere = await harness.api.get('/v1/nowhere').set(live).expect(404)
    const list = await harness.api.get('/v1/test/scenarios').set(live).expect(404)
    expect(list.body).toEqual(nowhere.body)
    const path = `/v1/test/sessions/${await create()}/advance`
    for (const body of [{ to: 'approved' }, { to: 'nowhere' }, []]) {
      expect((await harness.api.post(path).set(live).send(body).expect(404)).body).toEqual(nowhere.body)
    }
  })
})

test('lists every scenario with the result it leads to', async () => {
  const { body } = await harness.api.get('/v1/test/scenarios').set(harness.headers).expect(200)
  expect(body.data.map(({ scenario }: { scenario: string }) => scenario)).toEqual(testScenarioNames)
  expect(body.data[1]).toMatchObject({
    outcome: { status: 'in_review', decision_reason: 'document_expired' },
    outcome_with_auto_decline: { status: 'declined', decision_reason: 'document_expired' },
  })
})
