import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createOutbox } from '@kyc/bus'
import { checkCompleted, sealContexts, sessionStatusChanged, toTimestamp } from '@kyc/common'
import { TestClock } from '@kyc/testing'
import { runClock } from '../src/operations/run-clock.ts'
import { operationsOf } from '../src/service.ts'
import { passAll, type SessionHarness, startSessionService, submitted, testConfig } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

const minutes = (count: number) => ({ minutes: count })
const headers = () => harness.identity({ app_id: harness.appId })
const read = async (sessionId: string) =>
  (
    await harness.api
      .get(`/v1/sessions/${sessionId}`)
      .set(await headers())
      .expect(200)
  ).body

type Told = { sequence: number; status: string; previous_status: string | null; sent: boolean }
/** The published transitions of the session, in the order they were appended. */
const told = async (sessionId: string): Promise<Told[]> =>
  (
    await harness.database.query<Told>(
      `SELECT (payload->>'sequence')::int AS sequence, payload->>'status' AS status,
         payload->>'previous_status' AS previous_status, sent_at IS NOT NULL AS sent
       FROM outbox WHERE name = $1 AND ordering_key = $2 ORDER BY seq`,
      [sessionStatusChanged.name, sessionId],
    )
  ).rows

async function expectNothingNegative(): Promise<void> {
  const { rows } = await harness.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM session_event WHERE (details->>'seconds')::numeric < 0`,
  )
  expect(rows[0]?.count).toBe(0)
  const metrics = await harness.deps.metrics.registry.metrics()
  expect(metrics).toMatch(/^session_decision_seconds_count\{.*\} [1-9]/m)
  expect(metrics).not.toMatch(/^[a-z_]*(seconds|age)[a-z_]*(\{[^}]*\})? -/m)
}

describe('a clock that is set back by ten minutes', () => {
  test('between submission and decision: one decision, events in sequence order, no negative durations, no delay', async () => {
    const sessionId = await submitted(harness)
    const before = (await told(sessionId)).length
    harness.clock.advance(minutes(-10))
    await passAll(harness, sessionId)
    expect((await read(sessionId)).status).toBe('approved')
    const events = await told(sessionId)
    expect(events.length).toBe(before + 1)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    // Events appended before the jump now lie in the future. They were published anyway, and in order.
    expect(events.every(({ sent }) => sent)).toBe(true)
    await expectNothingNegative()
  })

  test('while checks are pending: the deadline does not move, and takes effect once', async () => {
    const sessionId = await submitted(harness)
    harness.clock.advance(minutes(-10))
    await runClock(operationsOf(harness.deps, testConfig))
    expect((await read(sessionId)).status).toBe('processing')
    harness.clock.advance(minutes(13))
    for (let round = 0; round < 3; round++) await runClock(operationsOf(harness.deps, testConfig))
    await harness.drain()
    expect(await read(sessionId)).toMatchObject({ status: 'in_review' })
    expect((await told(sessionId)).filter(({ status }) => status === 'in_review')).toHaveLength(1)
    await expectNothingNegative()
  })

  test('after a purge: no data comes back, and the age of unconfirmed purges is not negative', async () => {
    const sessionId = await submitted(harness)
    await passAll(harness, sessionId)
    await harness.api
      .delete(`/v1/sessions/${sessionId}`)
      .set(await headers())
      .expect(204)
    harness.clock.advance(minutes(-10))
    expect((await harness.runPurges()).oldestAgeSeconds).toBe(0)
    expect((await read(sessionId)).purged_at).not.toBeNull()
    harness.clock.advance(minutes(10))
  })
})

describe('two services whose clocks differ by two minutes', () => {
  test.each([
    ['ahead', 2],
    ['behind', -2],
  ])(
    'handles a result of a checker that is %s immediately, and never orders by its times',
    async (_, difference) => {
      const theirs = new TestClock(harness.clock.now())
      theirs.advance(minutes(difference))
      const outbox = createOutbox({ clock: theirs })
      const sessionId = await submitted(harness)
      const scope = { app_id: harness.appId, session_id: sessionId }
      const say = async (status: 'passed' | 'failed') => {
        const at = toTimestamp(theirs.now())
        const sealed = await harness.deps.vault.seal(scope, sealContexts.check_data, {
          kind: 'ip',
          status,
          score: null,
          data: {},
          warnings: [],
          attempts: 1,
          started_at: at,
          completed_at: at,
          engine: null,
        })
        await harness.database.transaction((tx) =>
          outbox.append(
            tx,
            checkCompleted,
            {
              ...scope,
              round: 1,
              final: true,
              kind: 'ip',
              part: null,
              status,
              sealed_check: sealed.toString('base64'),
              sealed_identity: null,
              monitoring: false,
            },
            { orderingKey: sessionId },
          ),
        )
      }
      await say('passed')
      await harness.drain()
      const kept = async () =>
        (
          await harness.database.query<{ status: string }>(
            `SELECT status FROM session_check WHERE session_id = $1 AND kind = 'ip'`,
            [sessionId],
          )
        ).rows
      expect(await kept()).toEqual([{ status: 'passed' }])
      await passAll(harness, sessionId, ['ip'])
      expect((await read(sessionId)).status).toBe('approved')
      // A second result after the decision changes nothing, whether dated before or after it.
      await say('failed')
      await harness.drain()
      expect(await kept()).toEqual([{ status: 'passed' }])
      expect((await read(sessionId)).status).toBe('approved')
      await expectNothingNegative()
    },
  )

  test('rejects an internal identity from a gateway that is this far off, in both directions', async () => {
    for (const difference of [2, -2]) {
      const now = harness.clock.now()
      harness.clock.advance(minutes(difference))
      const theirs = await headers()
      harness.clock.set(now)
      await harness.api.get('/v1/sessions').set(theirs).expect(401)
    }
    await harness.api
      .get('/v1/sessions')
      .set(await headers())
      .expect(200)
  })
})
