import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  addSessionNote,
  askForAnotherTry,
  assignSession,
  findEvidenceObject,
  getSessionDetail,
  openSession,
  purgeSessionByUser,
  rescreenSession,
  reviewAmlMatch,
  reviewSession,
  takeNextInReview,
} from '@kyc/common'
import { newId, sha256Hex } from '@kyc/runtime'
import { auditOf, detailOf, inReview, reviewer, scopeIn, sealedNote } from './console-harness.ts'
import { type SessionHarness, startSessionService } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

const decideAs = (by: ReturnType<typeof reviewer>, sessionId: string, sequence: number) =>
  harness.bus.request(reviewSession, {
    ...scopeIn(harness, sessionId),
    by,
    sequence,
    status: 'declined',
    reason: 'aml_confirmed_match',
    sealed_note: null,
  })

describe('a decision', () => {
  test('returns a conflict with who decided, when and what to the second of two reviewers', async () => {
    const sessionId = await inReview(harness)
    const { sequence } = await detailOf(harness, sessionId)
    const [ana, ben] = [reviewer(), reviewer()]
    const both = await Promise.all([decideAs(ana, sessionId, sequence), decideAs(ben, sessionId, sequence)])
    const winner = both[0].outcome === 'done' ? ana : ben
    const second = both.find((answered) => answered.outcome === 'conflict')
    expect(both.filter((answered) => answered.outcome === 'done')).toHaveLength(1)
    expect(second).toMatchObject({
      outcome: 'conflict',
      status: 'declined',
      review: {
        status: 'declined',
        reason: 'aml_confirmed_match',
        actor: { type: 'user', id: winner.user_id },
        at: '2026-03-01T12:00:00Z',
      },
    })
    const detail = await detailOf(harness, sessionId)
    expect(detail.decision).toMatchObject({
      status: 'declined',
      decision_reason: 'manual_review_declined',
      review: { reviewed_by: winner.user_id },
    })
    expect(detail.reviews).toHaveLength(1)
    expect(await auditOf(harness, sessionId)).toEqual([
      expect.objectContaining({
        action: 'session.reviewed',
        actor: { type: 'user', id: winner.user_id },
        ip: winner.ip,
        details: { status: 'declined', reason: 'aml_confirmed_match' },
      }),
    ])
  })

  test('is rejected if the session changed since the reviewer saw it', async () => {
    const sessionId = await inReview(harness)
    const { sequence } = await detailOf(harness, sessionId)
    expect(await decideAs(reviewer(), sessionId, sequence - 1)).toMatchObject({
      outcome: 'conflict',
      status: 'in_review',
    })
  })
})

describe('a session', () => {
  test('shows its timeline, images and assignment, and its personal data only sealed', async () => {
    const sessionId = await inReview(harness)
    const by = reviewer()
    const scope = scopeIn(harness, sessionId)
    await harness.bus.request(addSessionNote, {
      ...scope,
      by,
      sealed_note: await sealedNote(harness, sessionId, 'Ask for the back side'),
    })
    const raw = await harness.bus.request(getSessionDetail, scope)
    expect(JSON.stringify(raw)).not.toMatch(/Erika|BEISPIEL|back side/)
    const detail = await detailOf(harness, sessionId)
    expect(detail.decision.identity.full_name).toBe('Erika Beispiel')
    expect(detail.notes).toMatchObject([{ author_id: by.user_id, text: 'Ask for the back side' }])
    expect(detail.session).toMatchObject({ status: 'in_review', warnings: { count: 1, worst: 'medium' } })
    expect(detail.timeline.map(({ kind, details }) => details.to ?? kind)).toEqual(
      expect.arrayContaining(['created', 'in_progress', 'processing', 'in_review', 'note_added']),
    )
    expect(detail.timeline[0]).toMatchObject({ kind: 'created', actor: { type: 'api_key' } })
  })

  test('of another app does not exist for any operation', async () => {
    const sessionId = await inReview(harness)
    const { sequence } = await detailOf(harness, sessionId)
    const scope = { app_id: newId('app'), session_id: sessionId }
    const by = reviewer()
    const note = await sealedNote(harness, sessionId, 'x')
    const refused = await Promise.allSettled([
      harness.bus.request(getSessionDetail, scope),
      harness.bus.request(findEvidenceObject, { ...scope, object_id: newId('object') }),
      harness.bus.request(assignSession, { ...scope, by, user_id: by.user_id, take_over: true }),
      harness.bus.request(addSessionNote, { ...scope, by, sealed_note: note }),
      harness.bus.request(reviewSession, {
        ...scope,
        by,
        sequence,
        status: 'approved',
        reason: null,
        sealed_note: null,
      }),
      harness.bus.request(askForAnotherTry, { ...scope, by, sequence, sealed_note: null }),
      harness.bus.request(reviewAmlMatch, {
        ...scope,
        by,
        match_id: 'mat_1',
        verdict: 'false_positive',
        sealed_note: null,
      }),
      harness.bus.request(rescreenSession, { ...scope, by }),
      harness.bus.request(purgeSessionByUser, { ...scope, by }),
    ])
    for (const answered of refused) {
      expect(answered).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } })
    }
    expect((await detailOf(harness, sessionId)).sequence).toBe(sequence)
  })

  test('purged by a user retains statuses and times, and no personal data or images', async () => {
    const sessionId = await inReview(harness)
    const by = reviewer()
    const scope = scopeIn(harness, sessionId)
    const sealed_note = await sealedNote(harness, sessionId, 'Erika called')
    await harness.bus.request(addSessionNote, { ...scope, by, sealed_note })
    await harness.bus.request(reviewAmlMatch, {
      ...scope,
      by,
      match_id: 'mat_1',
      verdict: 'true_positive',
      sealed_note,
    })
    await harness.bus.request(purgeSessionByUser, { ...scope, by })
    const detail = await harness.bus.request(getSessionDetail, scope)
    expect(detail).toMatchObject({ sealed_contents: null, evidence: [], purge: { completed_at: null } })
    expect(detail.session).toMatchObject({ status: 'expired', decision_reason: 'purged' })
    expect(JSON.stringify(detail.purged_decision)).not.toContain('Beispiel')
    expect(new Set(detail.timeline.map(({ kind }) => kind))).toEqual(
      new Set(['created', 'status_changed', 'purged']),
    )
    for (const table of ['session_note', 'match_review', 'session_name']) {
      const { rows } = await harness.database.query(`SELECT 1 FROM ${table} WHERE session_id = $1`, [
        sessionId,
      ])
      expect(rows).toEqual([])
    }
    await expect(harness.bus.request(addSessionNote, { ...scope, by, sealed_note })).rejects.toMatchObject({
      code: 'conflict',
    })
  })
})

describe('assignment', () => {
  const assign = (sessionId: string, by: ReturnType<typeof reviewer>, take_over = false) =>
    harness.bus.request(assignSession, { ...scopeIn(harness, sessionId), by, user_id: by.user_id, take_over })

  test("conflicts with another reviewer's valid assignment and names the assignee, except for a takeover or after it expires", async () => {
    const sessionId = await inReview(harness)
    const [ana, ben] = [reviewer(), reviewer()]
    expect(await assign(sessionId, ana)).toMatchObject({
      outcome: 'done',
      assignment: { user_id: ana.user_id, held_until: '2026-03-01T12:15:00Z' },
    })
    expect(await assign(sessionId, ben)).toMatchObject({
      outcome: 'conflict',
      assignment: { user_id: ana.user_id },
    })
    expect(await assign(sessionId, ben, true)).toMatchObject({ assignment: { user_id: ben.user_id } })
    harness.clock.advance({ minutes: 16 })
    harness.headers = await harness.identity({ app_id: harness.appId })
    expect(await assign(sessionId, ana)).toMatchObject({ assignment: { user_id: ana.user_id } })
    const released = await harness.bus.request(assignSession, {
      ...scopeIn(harness, sessionId),
      by: ana,
      user_id: null,
      take_over: false,
    })
    expect(released).toEqual({ outcome: 'done', assignment: null })
  })

  test('take_next never assigns the same session to two reviewers', async () => {
    const mine = new Set([await inReview(harness), await inReview(harness), await inReview(harness)])
    const next = () =>
      harness.bus.request(takeNextInReview, {
        app_id: harness.appId,
        by: reviewer(),
        reason: null,
        workflow_id: null,
      })
    const taken: (string | null)[] = []
    for (;;) {
      const batch = (await Promise.all([next(), next(), next()])).map((answered) => answered.session_id)
      taken.push(...batch)
      if (batch.includes(null)) break
    }
    const given = taken.filter((id) => id !== null)
    expect(new Set(given).size).toBe(given.length)
    for (const id of mine) expect(given).toContain(id)
  })
})

describe('requesting resubmission', () => {
  test('reopens the flow under the same link, in a new round with every check pending', async () => {
    const sessionId = await inReview(harness)
    const { sequence } = await detailOf(harness, sessionId)
    const by = reviewer()
    const request = { ...scopeIn(harness, sessionId), by, sequence, sealed_note: null }
    expect(await harness.bus.request(askForAnotherTry, request)).toEqual({ outcome: 'done' })
    const detail = await detailOf(harness, sessionId)
    expect(detail.session).toMatchObject({
      status: 'in_progress',
      decision_reason: 'resubmission_requested',
      round: 2,
      submitted_at: null,
      completed_at: null,
    })
    expect(new Set(detail.decision.checks.map(({ status }) => status))).toEqual(new Set(['pending']))
    expect(await harness.bus.request(askForAnotherTry, request)).toMatchObject({ outcome: 'conflict' })
    expect((await auditOf(harness, sessionId)).at(-1)).toMatchObject({
      action: 'session.resubmission_requested',
      details: { round: 2 },
    })
  })
})

test('the link of a session still opens it after a resubmission request, in the new round', async () => {
  const created = await harness.api.post('/v1/sessions').set(harness.headers).send({}).expect(201)
  const token_sha256 = sha256Hex(created.body.session_token)
  const before = await harness.bus.request(openSession, { token_sha256 })
  expect(before.round).toBe(1)
  await harness.database.query(
    `UPDATE session SET status = 'in_review', in_review_at = now(), started_at = now() WHERE session_id = $1`,
    [before.session_id],
  )
  await harness.bus.request(askForAnotherTry, {
    ...scopeIn(harness, before.session_id),
    by: reviewer(),
    sequence: 0,
    sealed_note: null,
  })
  expect(await harness.bus.request(openSession, { token_sha256 })).toMatchObject({
    round: 2,
    status: 'in_progress',
  })
})
