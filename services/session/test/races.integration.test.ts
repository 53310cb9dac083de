import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  isAllowed,
  openSession,
  type SessionStatus,
  sessionStatusChanged,
  startSession,
  submitSession,
  transitions,
} from '@kyc/common'
import { sha256Hex } from '@kyc/runtime'
import { runClock } from '../src/operations/run-clock.ts'
import { operationsOf } from '../src/service.ts'
import {
  answer,
  passAll,
  type SessionHarness,
  startSessionService,
  submitted,
  testConfig,
} from './harness.ts'

const rounds = Number(process.env.KYC_RACE_ROUNDS ?? 20)

let harness: SessionHarness
beforeAll(async () => {
  // Only consent and e-mail are enabled, because the race is about the state machine and not the checks.
  harness = await startSessionService({
    steps: {
      document: { enabled: false },
      liveness: { enabled: false },
      face_match: { enabled: false },
      aml: { enabled: false },
      duplicate: { enabled: false },
      ip: { enabled: false },
      age: { enabled: false },
    },
  })
})
beforeEach(async () => {
  harness.headers = await harness.identity({ app_id: harness.appId })
})
afterAll(() => harness.close())

const moves = async (sessionId: string) =>
  (
    await harness.database.query<{ payload: { previous_status: SessionStatus; status: SessionStatus } }>(
      'SELECT payload FROM outbox WHERE name = $1 AND ordering_key = $2 ORDER BY seq',
      [sessionStatusChanged.name, sessionId],
    )
  ).rows.map((row) => row.payload)

const read = async (sessionId: string) =>
  (await harness.api.get(`/v1/sessions/${sessionId}`).set(harness.headers).expect(200)).body

const clockRound = () => runClock(operationsOf(harness.deps, testConfig))

/** Every event is a permitted transition from the previous one, and the last one matches the session's status. */
async function expectLawful(sessionId: string): Promise<void> {
  const told = await moves(sessionId)
  const last = told.reduce<SessionStatus>((status, move) => {
    expect(move.previous_status).toBe(status)
    const triggers = new Set(transitions.map((row) => row.trigger))
    expect([...triggers].some((trigger) => isAllowed(status, trigger, move.status))).toBe(true)
    return move.status
  }, 'not_started')
  expect((await read(sessionId)).status).toBe(last)
}

describe('concurrent submit, purge and clock', () => {
  test(`${rounds} times over, one wins and the table of transitions is obeyed`, async () => {
    const outcomes = new Set<string>()
    for (let index = 0; index < rounds; index++) {
      const created = await harness.api
        .post('/v1/sessions')
        .set(harness.headers)
        .send({ expires_in_hours: 1 })
        .expect(201)
      const sessionId: string = created.body.session_id
      const scope = { app_id: harness.appId, session_id: sessionId }
      await harness.bus.request(openSession, { token_sha256: sha256Hex(created.body.session_token) })
      if (index % 4 !== 0) await harness.bus.request(startSession, scope)
      // In every other round the session has just expired.
      if (index % 2 === 0) harness.clock.advance({ hours: 25 })
      harness.headers = await harness.identity({ app_id: harness.appId })
      const racers = [
        () =>
          harness.bus.request(submitSession, {
            ...scope,
            evidence: [],
            sealed_checks: [],
            sealed_client_address: null,
          }),
        () => harness.bus.request(startSession, scope),
        () => harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers),
        () => clockRound(),
        () => harness.api.get(`/v1/sessions/${sessionId}`).set(harness.headers),
      ]
      const answers = await Promise.allSettled(racers.map((race) => race()))
      const purge = answers[2]
      if (purge?.status === 'fulfilled')
        expect([204, 409]).toContain((purge.value as { status: number }).status)
      await expectLawful(sessionId)
      outcomes.add((await read(sessionId)).status)
    }
    expect(outcomes.size).toBeGreaterThan(1)
  })
})

describe('a check result that arrives too late', () => {
  test('after the purge or the decision restores no data and causes no transition', async () => {
    const whole = await startSessionService()
    try {
      const sessionId = await submitted(whole)
      await passAll(whole, sessionId)
      await answer(whole, sessionId, { kind: 'aml', status: 'failed' })
      await whole.drain()
      await whole.api.delete(`/v1/sessions/${sessionId}`).set(whole.headers).expect(204)
      // Sealed while the key still existed, like a result that was in flight.
      const other = await submitted(whole)
      await passAll(whole, other, ['aml'])
      await answer(whole, other, { kind: 'aml', status: 'passed' })
      await whole.drain()
      await whole.database.query(
        `INSERT INTO outbox (id, name, version, payload, ordering_key, occurred_at, available_at)
         SELECT gen_random_uuid(), name, version, (payload::jsonb || jsonb_build_object('session_id', $1::text))::json, $1,
           occurred_at, available_at
         FROM outbox WHERE name = 'check.completed' AND ordering_key = $2 AND payload->>'kind' = 'aml' LIMIT 1`,
        [sessionId, other],
      )
      await whole.drain()
      const { rows } = await whole.database.query(
        'SELECT count(*)::int AS count FROM session_check WHERE session_id = $1 AND sealed IS NOT NULL',
        [sessionId],
      )
      expect(rows[0]).toEqual({ count: 0 })
      const after = await whole.api.get(`/v1/sessions/${sessionId}`).set(whole.headers).expect(200)
      expect(after.body).toMatchObject({ status: 'approved', decision_reason: null })
    } finally {
      await whole.close()
    }
  })
})

describe('an idempotency key', () => {
  test('sent twenty times concurrently creates one session; each response is that session or a 409 with retry-after', async () => {
    const send = () =>
      harness.api
        .post('/v1/sessions')
        .set(harness.headers)
        .set('idempotency-key', 'twenty')
        .send({ vendor_data: 'once' })
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    const made = answers.filter((item) => item.status === 201)
    expect(new Set(made.map((item) => item.body.session_id)).size).toBe(1)
    for (const item of answers.filter((one) => one.status !== 201)) {
      expect(item.status).toBe(409)
      expect(Number(item.headers['retry-after'])).toBeGreaterThan(0)
    }
    const listed = await harness.api.get('/v1/sessions?vendor_data=once').set(harness.headers).expect(200)
    expect(listed.body.total).toBe(1)
    const replay = await send()
    expect(replay.status).toBe(201)
    expect(replay.headers['idempotent-replayed']).toBe('true')
  })
})

describe('a clock that jumps', () => {
  test('forward by a year expires, abandons and retires each session once, and never purges one in review', async () => {
    const whole = await startSessionService()
    try {
      const headers = async () => whole.identity({ app_id: whole.appId })
      const untouched = await whole.api.post('/v1/sessions').set(whole.headers).send({}).expect(201)
      const begun = await whole.api.post('/v1/sessions').set(whole.headers).send({}).expect(201)
      await whole.bus.request(startSession, { app_id: whole.appId, session_id: begun.body.session_id })
      const approved = await submitted(whole)
      await passAll(whole, approved)
      const inReview = await submitted(whole)
      await passAll(whole, inReview, ['face_match'])
      const operations = operationsOf(whole.deps, testConfig)
      for (let round = 0; round < 3; round++) {
        whole.clock.advance({ days: round === 0 ? 366 : 31 })
        await runClock(operations)
        await whole.drain()
      }
      const statusOf = async (sessionId: string) =>
        (
          await whole.api
            .get(`/v1/sessions/${sessionId}`)
            .set(await headers())
            .expect(200)
        ).body
      expect(await statusOf(untouched.body.session_id)).toMatchObject({
        status: 'expired',
        decision_reason: 'session_expired',
      })
      expect(await statusOf(begun.body.session_id)).toMatchObject({ status: 'abandoned' })
      expect((await statusOf(approved)).purged_at).not.toBeNull()
      expect((await statusOf(untouched.body.session_id)).purged_at).not.toBeNull()
      expect(await statusOf(inReview)).toMatchObject({ status: 'in_review', purged_at: null })
      const { rows } = await whole.database.query<{ ordering_key: string; count: number }>(
        `SELECT ordering_key, count(*)::int AS count FROM outbox WHERE name = 'session.purged' GROUP BY ordering_key`,
      )
      expect(rows.map((row) => row.count)).toEqual([1, 1, 1])
    } finally {
      await whole.close()
    }
  })

  test('back by ten minutes causes no negative durations and no transition', async () => {
    const created = await harness.api.post('/v1/sessions').set(harness.headers).send({}).expect(201)
    harness.clock.advance({ minutes: -10 })
    harness.headers = await harness.identity({ app_id: harness.appId })
    await harness.bus.request(startSession, { app_id: harness.appId, session_id: created.body.session_id })
    await clockRound()
    expect((await read(created.body.session_id)).status).toBe('in_progress')
    await expectLawful(created.body.session_id)
  })
})
