import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Analytics, flowProgressed, getAnalytics, reviewSession } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { detailOf, inReview, reviewer, scopeIn } from './console-harness.ts'
import { passAll, type SessionHarness, startSessionService, submitted } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

const read = (options: { app_id?: string; workflow_id?: string } = {}): Promise<Analytics> =>
  harness.bus.request(getAnalytics, {
    app_id: options.app_id ?? harness.appId,
    from: '2026-02-28',
    to: '2026-03-02',
    workflow_id: options.workflow_id ?? null,
  })

/** Records progress as the hosted flow publishes it. */
async function progress(sessionId: string, kind: 'step_completed' | 'page_event', name: string, at: string) {
  const event = { ...scopeIn(harness, sessionId), round: 1, kind, name, attempts_used: 0, occurred_at: at }
  await harness.database.transaction((tx) =>
    harness.outbox.append(tx, flowProgressed, event, { orderingKey: sessionId }),
  )
  await harness.drain()
}

test('rolls each event into the totals exactly once, however often analytics are read', async () => {
  const approved = await submitted(harness)
  await progress(approved, 'step_completed', 'consent', '2026-03-01T12:00:10Z')
  await progress(approved, 'step_completed', 'document', '2026-03-01T12:01:10Z')
  // A repeated step: the funnel counts the session once.
  await progress(approved, 'step_completed', 'document', '2026-03-01T12:01:10Z')
  await progress(approved, 'page_event', 'camera_denied', '2026-03-01T12:01:15Z')
  await progress(approved, 'page_event', 'camera_denied', '2026-03-01T12:01:20Z')
  await passAll(harness, approved)
  const reviewed = await inReview(harness)
  const { sequence } = await detailOf(harness, reviewed)
  harness.clock.advance({ minutes: 10 })
  const by = reviewer()
  await harness.bus.request(reviewSession, {
    ...scopeIn(harness, reviewed),
    by,
    sequence,
    status: 'declined',
    reason: 'aml_confirmed_match',
    sealed_note: null,
  })
  await Promise.all([read(), read(), read()])
  const sums = await read()
  expect(sums.totals).toMatchObject({
    created: 2,
    started: 2,
    submitted: 2,
    approved: 1,
    declined: 1,
    in_review: 1,
    conversion: 1,
    approval_rate: 0.5,
    camera_denied_rate: 0.5,
  })
  expect(sums.funnel).toEqual([
    { step: 'created', sessions: 2 },
    { step: 'started', sessions: 2 },
    { step: 'consent', sessions: 1 },
    { step: 'document', sessions: 1 },
    { step: 'liveness', sessions: 0 },
    { step: 'submitted', sessions: 2 },
    { step: 'decided', sessions: 2 },
  ])
  expect(sums.step_times).toMatchObject([
    { step: 'consent', count: 1, mean_seconds: 10 },
    { step: 'document', count: 2, mean_seconds: 30 },
  ])
  expect(sums.warnings).toEqual([{ code: 'aml_potential_match', count: 1 }])
  expect(sums.reasons).toEqual(
    expect.arrayContaining([
      { status: 'approved', reason: null, count: 1 },
      { status: 'in_review', reason: 'aml_potential_match', count: 1 },
      { status: 'declined', reason: 'manual_review_declined', count: 1 },
    ]),
  )
  expect(sums.review_time).toMatchObject({ count: 1, mean_seconds: 600 })
  expect(Math.abs((sums.review_time.median_seconds ?? 0) - 600)).toBeLessThan(60)
  expect(sums.reviewers).toMatchObject([{ user_id: by.user_id, count: 1 }])
  expect(sums.days.map(({ day, created }) => [day, created])).toEqual([
    ['2026-02-28', 0],
    ['2026-03-01', 2],
    ['2026-03-02', 0],
  ])
})

test('returns analytics of one app only, and of one workflow if requested', async () => {
  expect((await read({ app_id: newId('app') })).totals.created).toBe(0)
  expect((await read({ workflow_id: newId('workflow') })).totals.created).toBe(0)
})
