import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Bus } from '@kyc/bus'
import { amlMatchReviewed, rescreenSession, reviewAmlMatch, screenAgain, sealContexts } from '@kyc/common'
import {
  amlFound,
  detailOf,
  inReview,
  listedMatch,
  reviewer,
  scopeIn,
  sealedNote,
} from './console-harness.ts'
import { answer, type SessionHarness, startSessionService, submitted } from './harness.ts'

let harness: SessionHarness
/** The matches that a rescreening returns. */
let onLists = [listedMatch()]
beforeAll(async () => {
  const before = (bus: Bus) =>
    bus.respond(screenAgain, async (request) => {
      const check = {
        ...amlFound(onLists),
        ...(onLists.length === 0 ? { status: 'passed', score: 0, warnings: [] } : {}),
        attempts: 1,
        started_at: null,
        completed_at: null,
        engine: null,
      }
      const scope = { app_id: request.app_id, session_id: request.session_id }
      const bytes = await harness.deps.vault.seal(scope, sealContexts.check_data, check)
      return { sealed_check: bytes.toString('base64') }
    })
  harness = await startSessionService({}, { before })
})
afterAll(() => harness.close())

describe('an AML match', () => {
  test('stores its verdict and publishes it for the next screening of the person', async () => {
    const sessionId = await inReview(harness, {
      matches: [listedMatch(), listedMatch({ match_id: 'mat_2' })],
    })
    const by = reviewer()
    const scope = scopeIn(harness, sessionId)
    await harness.bus.request(reviewAmlMatch, {
      ...scope,
      by,
      match_id: 'mat_1',
      verdict: 'false_positive',
      sealed_note: await sealedNote(harness, sessionId, 'Other birth date'),
    })
    const detail = await detailOf(harness, sessionId)
    const aml = detail.decision.checks.find(({ kind }) => kind === 'aml')
    expect(aml?.data.matches).toMatchObject([
      {
        match_id: 'mat_1',
        review: { status: 'false_positive', reviewed_by: by.user_id, note: 'Other birth date' },
      },
      { match_id: 'mat_2', review: { status: 'unreviewed' } },
    ])
    const { rows } = await harness.database.query<{ payload: { sealed_identity: string } }>(
      'SELECT payload FROM outbox WHERE name = $1 AND ordering_key = $2',
      [amlMatchReviewed.name, sessionId],
    )
    expect(rows[0]?.payload).toMatchObject({
      match_id: 'mat_1',
      list: 'un_sc',
      list_version: '2026-02-27',
      entity_id: 'QDi.331',
      verdict: 'false_positive',
    })
    const identity = Buffer.from(rows[0]?.payload.sealed_identity ?? '', 'base64')
    expect(await harness.deps.vault.open(scope, sealContexts.identity, identity)).toMatchObject({
      full_name: 'Erika Beispiel',
    })
    await expect(
      harness.bus.request(reviewAmlMatch, {
        ...scope,
        by,
        match_id: 'mat_9',
        verdict: 'inconclusive',
        sealed_note: null,
      }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is replaced on rescreening, and verdicts on matches that are still listed are retained', async () => {
    const sessionId = await inReview(harness)
    const by = reviewer()
    const scope = scopeIn(harness, sessionId)
    await harness.bus.request(reviewAmlMatch, {
      ...scope,
      by,
      match_id: 'mat_1',
      verdict: 'inconclusive',
      sealed_note: null,
    })
    onLists = [listedMatch(), listedMatch({ match_id: 'mat_3', list: 'eu_fsf' })]
    expect(await harness.bus.request(rescreenSession, { ...scope, by })).toEqual({ matches: 2 })
    const aml = (await detailOf(harness, sessionId)).decision.checks.find(({ kind }) => kind === 'aml')
    expect(aml?.data.matches).toMatchObject([
      { match_id: 'mat_1', review: { status: 'inconclusive' } },
      { match_id: 'mat_3', review: { status: 'unreviewed' } },
    ])
    onLists = []
    await harness.bus.request(rescreenSession, { ...scope, by })
    expect((await detailOf(harness, sessionId)).session.warnings).toEqual({ count: 0, worst: null })
    onLists = [listedMatch()]
  })

  test('is not rescreened if the session is not in review', async () => {
    const sessionId = await submitted(harness)
    await answer(harness, sessionId, { kind: 'aml', status: 'passed' })
    await harness.drain()
    await expect(
      harness.bus.request(rescreenSession, { ...scopeIn(harness, sessionId), by: reviewer() }),
    ).rejects.toMatchObject({ code: 'conflict' })
  })
})
