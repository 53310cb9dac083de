import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createSessionBody, findSessionLinks, sessionStatusChanged } from '@kyc/common'
import { newId, newToken, sha256Hex } from '@kyc/runtime'
import { answer, passAll, type SessionHarness, startSessionService, submitted } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

const events = async (sessionId: string) => {
  const { rows } = await harness.database.query<{
    payload: { status: string; previous_status: string; sealed_decision: string | null }
  }>('SELECT payload FROM outbox WHERE name = $1 AND ordering_key = $2 ORDER BY seq', [
    sessionStatusChanged.name,
    sessionId,
  ])
  return rows.map((row) => row.payload)
}

describe('a session', () => {
  test('is created, read and listed with the given values', async () => {
    const body = {
      vendor_data: 'customer-1',
      metadata: { plan: 'gold' },
      contact: { email: 'erika@example.org' },
    }
    const created = await harness.api.post('/v1/sessions').set(harness.headers).send(body).expect(201)
    expect(created.body).toMatchObject({ status: 'not_started', vendor_data: 'customer-1' })
    expect(created.body.url).toBe(`http://localhost:8080/flow/${created.body.session_token}`)

    const read = await harness.api
      .get(`/v1/sessions/${created.body.session_id}`)
      .set(harness.headers)
      .expect(200)
    expect(read.body).toMatchObject({ status: 'not_started', created_via: 'api', purged_at: null })
    const listed = await harness.api
      .get('/v1/sessions?vendor_data=customer-1')
      .set(harness.headers)
      .expect(200)
    expect(listed.body).toMatchObject({ page: 1, page_size: 25, total: 1 })
    const decision = await harness.api
      .get(`/v1/sessions/${created.body.session_id}/decision`)
      .set(harness.headers)
      .expect(200)
    expect(decision.body.metadata).toEqual({ plan: 'gold' })
    expect(decision.body.checks.map((item: { status: string }) => item.status)).toEqual(
      Array(7).fill('pending'),
    )
  })

  test('is approved with one event per transition and the decision in the last event', async () => {
    const sessionId = await submitted(harness)
    await passAll(harness, sessionId)
    const decision = await harness.api
      .get(`/v1/sessions/${sessionId}/decision`)
      .set(harness.headers)
      .expect(200)
    expect(decision.body).toMatchObject({ status: 'approved', decision_reason: null, review: null })
    expect(decision.body.identity.full_name).toBe('Erika Beispiel')
    const told = await events(sessionId)
    expect(told.map((event) => [event.previous_status, event.status])).toEqual([
      ['not_started', 'in_progress'],
      ['in_progress', 'processing'],
      ['processing', 'approved'],
    ])
    expect(told.map((event) => event.sealed_decision !== null)).toEqual([false, false, true])
  })

  test('is decided once when results are duplicated, late and concurrent', async () => {
    const sessionId = await submitted(harness)
    await Promise.all([passAll(harness, sessionId), passAll(harness, sessionId)])
    await answer(harness, sessionId, { kind: 'aml', status: 'failed' })
    await harness.drain()
    expect((await events(sessionId)).map((event) => event.status)).toEqual([
      'in_progress',
      'processing',
      'approved',
    ])
  })

  test('is never approved when a check does not complete: the deadline sends it to review', async () => {
    const sessionId = await submitted(harness)
    await passAll(harness, sessionId, ['face_match'])
    harness.clock.advance({ seconds: 121 })
    const read = await harness.api
      .get(`/v1/sessions/${sessionId}`)
      .set(await harness.identity({ app_id: harness.appId }))
      .expect(200)
    expect(read.body).toMatchObject({ status: 'in_review', decision_reason: 'processing_error' })
    harness.headers = await harness.identity({ app_id: harness.appId })
  })

  test('is not approved if the face was seen before, even if the document was not', async () => {
    const sessionId = await submitted(harness)
    await passAll(harness, sessionId, ['duplicate'])
    await answer(harness, sessionId, { kind: 'duplicate', status: 'passed' }, { part: 'document' })
    await harness.drain()
    const waiting = await harness.api.get(`/v1/sessions/${sessionId}`).set(harness.headers).expect(200)
    expect(waiting.body.status).toBe('processing')
    const warnings = [
      { code: 'duplicate_face', severity: 'high' as const, message: 'm', field: null, details: null },
    ]
    await answer(harness, sessionId, { kind: 'duplicate', status: 'warning', warnings }, { part: 'face' })
    await harness.drain()
    const decision = await harness.api
      .get(`/v1/sessions/${sessionId}/decision`)
      .set(harness.headers)
      .expect(200)
    expect(decision.body).toMatchObject({ status: 'in_review', decision_reason: 'duplicate_face' })
  })

  test('in review is decided once by fifty concurrent clients', async () => {
    const sessionId = await submitted(harness)
    await passAll(harness, sessionId, ['aml'])
    await answer(harness, sessionId, {
      kind: 'aml',
      status: 'warning',
      warnings: [
        { code: 'aml_potential_match', severity: 'medium', message: 'm', field: null, details: null },
      ],
    })
    await harness.drain()
    const decideOnce = () =>
      harness.api
        .patch(`/v1/sessions/${sessionId}/status`)
        .set(harness.headers)
        .send({ status: 'declined', note: 'seen' })
    const answers = await Promise.all(Array.from({ length: 50 }, decideOnce))
    expect(answers.filter((item) => item.status === 200)).toHaveLength(1)
    expect(answers.filter((item) => item.status === 409)).toHaveLength(49)
    const decision = await harness.api
      .get(`/v1/sessions/${sessionId}/decision`)
      .set(harness.headers)
      .expect(200)
    expect(decision.body).toMatchObject({ status: 'declined', decision_reason: 'manual_review_declined' })
    expect(decision.body.review).toMatchObject({ reviewed_by: null, note: 'seen' })
    expect((await events(sessionId)).filter((event) => event.status === 'declined')).toHaveLength(1)
  })

  test('is purged: no personal data is left, the record remains, and a second purge returns 204 again', async () => {
    const created = await harness.api
      .post('/v1/sessions')
      .set(harness.headers)
      .send({ metadata: { who: 'Erika' } })
      .expect(201)
    const path = `/v1/sessions/${created.body.session_id}`
    await harness.api.delete(path).set(harness.headers).expect(204)
    await harness.api.delete(path).set(harness.headers).expect(204)
    const read = await harness.api.get(path).set(harness.headers).expect(200)
    expect(read.body).toMatchObject({ status: 'expired', decision_reason: 'purged' })
    expect(read.body.purged_at).not.toBeNull()
    const decision = await harness.api.get(`${path}/decision`).set(harness.headers).expect(200)
    expect(decision.body.metadata).toEqual({})
    const { rows } = await harness.database.query(
      'SELECT sealed_personal, vault FROM session JOIN purge USING (session_id) WHERE session_id = $1',
      [created.body.session_id],
    )
    expect(rows[0]).toMatchObject({ sealed_personal: null, vault: { key_destroyed: true } })
  })

  test('cannot be purged while processing', async () => {
    const sessionId = await submitted(harness)
    const refused = await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(409)
    expect(refused.body.error.code).toBe('conflict')
  })

  test('of another app does not exist', async () => {
    const created = await harness.api.post('/v1/sessions').set(harness.headers).send({}).expect(201)
    const other = await harness.identity()
    const unknown = await harness.api
      .get(`/v1/sessions/${newId('session')}`)
      .set(other)
      .expect(404)
    for (const path of ['', '/decision']) {
      const hidden = await harness.api
        .get(`/v1/sessions/${created.body.session_id}${path}`)
        .set(other)
        .expect(404)
      expect(hidden.body).toEqual(unknown.body)
    }
    await harness.api.delete(`/v1/sessions/${created.body.session_id}`).set(other).expect(404)
  })

  test('expires once when it is due', async () => {
    const created = await harness.api
      .post('/v1/sessions')
      .set(harness.headers)
      .send({ expires_in_hours: 1 })
      .expect(201)
    harness.clock.advance({ hours: 1, seconds: 1 })
    harness.headers = await harness.identity({ app_id: harness.appId })
    const reads = await Promise.all(
      Array.from({ length: 5 }, () =>
        harness.api.get(`/v1/sessions/${created.body.session_id}`).set(harness.headers),
      ),
    )
    for (const read of reads)
      expect(read.body).toMatchObject({ status: 'expired', decision_reason: 'session_expired' })
    expect(await events(created.body.session_id)).toHaveLength(1)
  })
})

describe('creating a session', () => {
  test('creates one session per idempotency key; another body is a conflict', async () => {
    const send = (body: object) =>
      harness.api.post('/v1/sessions').set(harness.headers).set('idempotency-key', 'order-17').send(body)
    const first = await send({ vendor_data: 'a' }).expect(201)
    const again = await send({ vendor_data: 'a' }).expect(201)
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    const other = await send({ vendor_data: 'b' }).expect(409)
    expect(other.body.error.code).toBe('conflict')
  })

  test('requires an idempotency key of 1 to 255 characters', async () => {
    for (const [key, status] of [
      ['', 400],
      ['k'.repeat(256), 400],
      ['k'.repeat(255), 201],
    ] as const) {
      const answer = await harness.api
        .post('/v1/sessions')
        .set(harness.headers)
        .set('idempotency-key', key)
        .send({})
      expect([key.length, answer.status]).toEqual([key.length, status])
    }
  })

  test.each([
    ['vendor_data', { vendor_data: 'x'.repeat(257) }],
    ['callback_url', { callback_url: 'ftp://example.org' }],
    ['callback_url', { callback_url: '/relative' }],
    ['callback_url', { callback_url: 'https://user@example.org/' }],
    ['callback_url', { callback_url: ' https://example.org/' }],
    ['callback_url', { callback_url: 'https://example.org/\n' }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: { big: 'x'.repeat(8192) } }],
    ['contact.email', { contact: { email: 'no' } }],
    ['expires_in_hours', { expires_in_hours: 0 }],
    ['expires_in_hours', { expires_in_hours: 721 }],
    ['surprise', { surprise: 1 }],
  ])('names a bad %s in the error', async (field, body) => {
    const refused = await harness.api.post('/v1/sessions').set(harness.headers).send(body).expect(400)
    expect(refused.body.error.code).toBe('bad_request')
    expect(refused.body.error.message).toContain(field)
    expect(createSessionBody.safeParse(body).success).toBe(false)
  })

  test.each([
    ['objects', '{"a":', '}'],
    ['arrays', '[', ']'],
  ])('rejects metadata of 7,000 nested %s with 400 and names the limit', async (_, open, close) => {
    const refused = await harness.api
      .post('/v1/sessions')
      .set(harness.headers)
      .set('content-type', 'application/json')
      .send(`{"metadata":{"a":${open.repeat(7_000)}1${close.repeat(7_000)}}}`)
      .expect(400)
    expect(refused.body.error.message).toBe('body: must be nested at most 32 levels deep')
  })

  test('returns not_found for an unknown workflow, and fails for an app without one', async () => {
    const unknown = await harness.api
      .post('/v1/sessions')
      .set(harness.headers)
      .send({ workflow_id: newId('workflow') })
      .expect(404)
    expect(unknown.body.error.code).toBe('not_found')
    const none = await harness.api
      .post('/v1/sessions')
      .set(await harness.identity())
      .send({})
      .expect(422)
    expect(none.body.error.code).toBe('unprocessable')
  })

  test('rejects requests that do not come through the gateway', async () => {
    const refused = await harness.api.post('/v1/sessions').send({}).expect(401)
    expect(refused.body.error.code).toBe('unauthorized')
  })
})

describe('looking up links', () => {
  test('returns the tokens that belong to sessions, and has no effect on the sessions', async () => {
    const created = await harness.api.post('/v1/sessions').set(harness.headers).send({}).expect(201)
    const hash = sha256Hex(created.body.session_token)
    const guesses = Array.from({ length: 50 }, () => sha256Hex(newToken()))
    const before = await events(created.body.session_id)
    const found = await harness.bus.request(findSessionLinks, { token_sha256: [...guesses, hash] })
    expect(found).toEqual({ known: [hash] })
    expect(await events(created.body.session_id)).toEqual(before)
  })
})
