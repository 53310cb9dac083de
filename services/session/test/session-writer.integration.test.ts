import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId, newToken, sha256Hex } from '@kyc/runtime'
import { createSessionWriter } from '../src/store/session-writer.ts'
import type { NewSession } from '../src/store/sessions.ts'
import { type SessionHarness, startSessionService } from './harness.ts'

describe('concurrent new sessions', () => {
  let harness: SessionHarness
  beforeAll(async () => {
    harness = await startSessionService()
  })
  afterAll(() => harness.close())

  const newSession = (values: Partial<NewSession> = {}): NewSession => ({
    session_id: newId('session'),
    app_id: harness.appId,
    environment: 'test',
    workflow_id: null,
    vendor_data: null,
    callback_url: null,
    token_sha256: Buffer.from(sha256Hex(newToken()), 'hex'),
    created_via: 'api',
    created_by: { type: 'api_key', id: newId('api_key') },
    test_scenario: null,
    sealed_personal: null,
    created_at: harness.clock.now(),
    expires_at: new Date(harness.clock.now().getTime() + 3_600_000),
    ...values,
  })
  const stored = async (sessions: readonly NewSession[]) => {
    const { rows } = await harness.database.query<{ session_id: string }>(
      'SELECT session_id FROM session WHERE session_id = ANY($1)',
      [sessions.map(({ session_id }) => session_id)],
    )
    return new Set(rows.map(({ session_id }) => session_id))
  }

  test('are each committed before their response, in fewer statements than sessions, and counted once', async () => {
    let statements = 0
    const write = createSessionWriter({
      ...harness.database,
      query: (text, values, name) => {
        statements++
        return harness.database.query(text, values, name)
      },
    })
    const before = (await harness.api.get('/v1/sessions').set(harness.headers)).body.total as number
    const sessions = Array.from({ length: 300 }, () => newSession())
    const created = await Promise.all(sessions.map((session) => write(session)))
    expect(new Set(created.map((made) => made?.workflow_id)).size).toBe(1)
    expect((await stored(sessions)).size).toBe(300)
    expect(statements).toBeLessThanOrEqual(10)
    const after = (await harness.api.get('/v1/sessions').set(harness.headers)).body.total as number
    expect(after - before).toBe(300)
  })

  test('of an unknown workflow are not written, and the rest of the batch is', async () => {
    const write = createSessionWriter(harness.database)
    const unknown = newSession({ workflow_id: newId('workflow') })
    const known = newSession()
    expect(await Promise.all([write(unknown), write(known)])).toEqual([null, expect.anything()])
    expect(await stored([unknown, known])).toEqual(new Set([known.session_id]))
  })

  test('with a value that PostgreSQL rejects fail alone', async () => {
    const write = createSessionWriter(harness.database)
    const refused = newSession({ vendor_data: 'a\u0000b' })
    const neighbours = [newSession(), newSession()]
    const results = await Promise.allSettled([refused, ...neighbours].map((session) => write(session)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect((await stored(neighbours)).size).toBe(2)
  })

  test('all fail when the database is unavailable, and the next ones are written', async () => {
    let away = true
    const write = createSessionWriter({
      ...harness.database,
      query: (text, values, name) =>
        away ? Promise.reject(new Error('connection lost')) : harness.database.query(text, values, name),
    })
    const results = await Promise.allSettled([newSession(), newSession()].map((session) => write(session)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    away = false
    expect(await write(newSession())).not.toBeNull()
  })
})
