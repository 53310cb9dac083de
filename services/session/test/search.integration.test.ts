import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  assignSession,
  type listReviewQueue,
  nameHash,
  purgeSessionByUser,
  listReviewQueue as queueRequest,
  type SessionFilter,
  searchSessions,
  wordGroups,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import type { z } from 'zod'
import { inReview, reviewer, scopeIn } from './console-harness.ts'
import { answer, passAll, type SessionHarness, startSessionService, submitted } from './harness.ts'

let harness: SessionHarness
const ids: Record<'first' | 'second' | 'third' | 'fresh', string> = {
  first: '',
  second: '',
  third: '',
  fresh: '',
}

/** An approved session of a person with this name. */
async function approvedAs(name: string): Promise<string> {
  const sessionId = await submitted(harness)
  await answer(harness, sessionId, { kind: 'document', status: 'passed' }, { name })
  await passAll(harness, sessionId, ['document'])
  return sessionId
}

beforeAll(async () => {
  harness = await startSessionService()
  const pause = async () => {
    harness.clock.advance({ minutes: 10 })
    harness.headers = await harness.identity({ app_id: harness.appId })
  }
  ids.first = await approvedAs('ÖZGÜR MÜLLER')
  await pause()
  ids.second = await inReview(harness, { body: { vendor_data: 'customer-2' } })
  await pause()
  ids.third = await inReview(harness)
  await pause()
  const created = await harness.api.post('/v1/sessions').set(harness.headers).send({}).expect(201)
  ids.fresh = created.body.session_id
})
afterAll(() => harness.close())

const everything: SessionFilter = {
  statuses: [],
  workflow_id: null,
  reason: null,
  warning: null,
  assignee: null,
  vendor_data: null,
  session_id: null,
  created_from: null,
  created_to: null,
}

const search = (
  filter: Partial<SessionFilter>,
  options: { name?: string; cursor?: string | null; limit?: number; app_id?: string } = {},
) => searchAs(options.app_id ?? harness.appId, filter, options)

async function searchAs(
  appId: string,
  filter: Partial<SessionFilter>,
  { name = '', cursor = null, limit = 25 }: { name?: string; cursor?: string | null; limit?: number },
) {
  const hash = async (word: string) =>
    (await harness.deps.vault.keyedHash({ app_id: appId }, nameHash.purpose, word)).slice(
      0,
      nameHash.bytes * 2,
    )
  return harness.bus.request(searchSessions, {
    app_id: appId,
    filter: { ...everything, ...filter },
    name_hashes: await Promise.all(wordGroups(name).map((forms) => Promise.all(forms.map(hash)))),
    cursor,
    limit,
  })
}

const found = async (...given: Parameters<typeof search>) =>
  (await search(...given)).data.map(({ session_id }) => session_id)

describe('a search', () => {
  test('returns newest first, page by page, and every session once', async () => {
    const one = await search({}, { limit: 3 })
    expect(one.data.map(({ session_id }) => session_id)).toEqual([ids.fresh, ids.third, ids.second])
    expect(one.total).toBe(4)
    const two = await search({}, { limit: 3, cursor: one.next_cursor })
    expect(two.data.map(({ session_id }) => session_id)).toEqual([ids.first])
    expect(two.next_cursor).toBeNull()
  })

  test.each<[string, Partial<SessionFilter>, (keyof typeof ids)[]]>([
    ['one status', { statuses: ['in_review'] }, ['third', 'second']],
    ['several statuses', { statuses: ['approved', 'not_started'] }, ['fresh', 'first']],
    ['a reason', { reason: 'aml_potential_match' }, ['third', 'second']],
    ['a warning', { warning: 'aml_potential_match' }, ['third', 'second']],
    ['vendor_data', { vendor_data: 'customer-2' }, ['second']],
    ['nobody assigned', { assignee: 'none', statuses: ['in_review'] }, ['third', 'second']],
    ['a time', { created_from: '2026-03-01T12:05:00Z', created_to: '2026-03-01T12:20:00Z' }, ['second']],
    [
      'all at once',
      { statuses: ['in_review'], warning: 'aml_potential_match', vendor_data: 'customer-2' },
      ['second'],
    ],
    ['what is not there', { statuses: ['approved'], reason: 'aml_potential_match' }, []],
  ])('by %s', async (_, filter, expected) => {
    expect(await found(filter)).toEqual(expected.map((key) => ids[key]))
  })

  test('by name matches the words in any order and spelling, and never part of a word', async () => {
    expect(await found({}, { name: 'Müller' })).toEqual([ids.first])
    expect(await found({}, { name: 'muller ozgur' })).toEqual([ids.first])
    expect(await found({}, { name: 'Müll' })).toEqual([])
    expect(await found({}, { name: 'Müller Erika' })).toEqual([])
    expect(await found({}, { name: 'Erika' })).toEqual([ids.third, ids.second])
  })

  test('never returns sessions of another app for the same words', async () => {
    expect(await found({}, { app_id: newId('app'), name: 'Erika' })).toEqual([])
    expect(await found({}, { app_id: newId('app') })).toEqual([])
  })

  test('by name finds no purged session; by status it still does', async () => {
    const sessionId = await approvedAs('Petra Vorbei')
    expect(await found({}, { name: 'Petra' })).toEqual([sessionId])
    await harness.bus.request(purgeSessionByUser, { ...scopeIn(harness, sessionId), by: reviewer() })
    expect(await found({}, { name: 'Petra' })).toEqual([])
    expect(await found({ session_id: sessionId })).toEqual([sessionId])
  })
})

describe('the queue', () => {
  type Request = z.input<typeof listReviewQueue.request>
  const queue = (filter: Partial<Request['filter']> = {}, page: Partial<Request> = {}) =>
    harness.bus.request(queueRequest, {
      app_id: harness.appId,
      filter: { assignee: null, reason: null, workflow_id: null, waiting_since_before: null, ...filter },
      cursor: null,
      limit: 25,
      ...page,
    })
  const queued = async (...given: Parameters<typeof queue>) =>
    (await queue(...given)).data.map(({ session_id }) => session_id)

  test('lists the longest waiting first, page by page, with AML and document data still sealed', async () => {
    const first = await queue({}, { limit: 1 })
    expect(first).toMatchObject({ waiting: 2, data: [{ session_id: ids.second, reviewed_matches: [] }] })
    expect(first.data[0]?.sealed_checks).toHaveLength(2)
    expect(await queued({}, { limit: 1, cursor: first.next_cursor })).toEqual([ids.third])
  })

  test('can be filtered by assignee, reason and waiting time', async () => {
    const by = reviewer()
    await harness.bus.request(assignSession, {
      ...scopeIn(harness, ids.third),
      by,
      user_id: by.user_id,
      take_over: false,
    })
    expect(await queued({ assignee: by.user_id })).toEqual([ids.third])
    expect(await queued({ assignee: 'none' })).toEqual([ids.second])
    expect(await queued({ reason: 'aml_potential_match' })).toEqual([ids.second, ids.third])
    expect(await queued({ reason: 'face_mismatch' })).toEqual([])
    expect(await queued({ waiting_since_before: '2026-03-01T12:15:00Z' })).toEqual([ids.second])
    expect(await found({ assignee: by.user_id })).toEqual([ids.third])
    expect(await queued({}, { app_id: newId('app') })).toEqual([])
  })
})
