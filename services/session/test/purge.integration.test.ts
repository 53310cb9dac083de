import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { signatureProblem, verifyReceipt } from '@kyc/attestation'
import {
  auditRecorded,
  type Decision,
  purgeParticipants,
  type SignedPurgeCertificate,
  type SignedReceipt,
  sessionPurgeConfirmed,
  sessionPurged,
} from '@kyc/common'
import { passAll, type SessionHarness, startSessionService, submitted } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
beforeEach(async () => {
  harness.headers = await harness.identity({ app_id: harness.appId })
})
afterAll(() => harness.close())

const get = <T>(path: string, headers = harness.headers) =>
  harness.api.get(path).set(headers) as unknown as Promise<{ status: number; body: T; headers: object }>

const keys = async () => (await get<{ keys: [] }>('/v1/signing-keys')).body.keys

/** Publishes the confirmation of a service that deleted two rows and has none left. */
async function confirm(sessionId: string, service: string, part: { deleted?: number; app?: string } = {}) {
  await harness.database.transaction((tx) =>
    harness.outbox.append(
      tx,
      sessionPurgeConfirmed,
      {
        app_id: part.app ?? harness.appId,
        session_id: sessionId,
        service,
        deleted: { things: part.deleted ?? 2 },
        remaining: { things: 0 },
      },
      { orderingKey: sessionId },
    ),
  )
  await harness.drain()
}

async function decided(): Promise<string> {
  const sessionId = await submitted(harness, { metadata: { who: 'Erika' } })
  await passAll(harness, sessionId)
  return sessionId
}

const said = async (name: string, sessionId: string) =>
  (
    await harness.database.query<{ payload: { action?: string } }>(
      'SELECT payload FROM outbox WHERE name = $1 AND ordering_key = $2 ORDER BY seq',
      [name, sessionId],
    )
  ).rows.map((row) => row.payload)

/** Runs the purge job once, after advancing the clock. */
const round = async (forward: { seconds: number }) => {
  harness.clock.advance(forward)
  harness.headers = await harness.identity({ app_id: harness.appId })
  await harness.runPurges()
  await harness.drain()
}

describe('a purge', () => {
  test('has a signed certificate if and only if every service has confirmed', async () => {
    const sessionId = await decided()
    const path = `/v1/sessions/${sessionId}`
    expect(await get(`${path}/purge-certificate`)).toMatchObject({ status: 409 })
    await harness.api.delete(path).set(harness.headers).expect(204)
    for (const [index, service] of purgeParticipants.entries()) {
      const early = await get<{ error: { message: string } }>(`${path}/purge-certificate`)
      expect(early.status).toBe(409)
      expect(early.body.error.message).toContain(purgeParticipants.slice(index).join(', '))
      await confirm(sessionId, service)
    }
    const certificate = await get<SignedPurgeCertificate>(`${path}/purge-certificate`)
    expect(certificate.status).toBe(200)
    expect(verifyReceipt(certificate.body, { keys: await keys() })).toEqual({
      kind: 'certificate',
      problems: [],
    })
    const { payload } = certificate.body
    expect(payload).toMatchObject({
      app_id: harness.appId,
      session_id: sessionId,
      vault: { data_key: 'destroyed', files_remaining: 0 },
    })
    expect(payload.services.map((item) => item.service)).toEqual([...purgeParticipants, 'session'].sort())
    const own = payload.services.find((item) => item.service === 'session')
    expect(own?.deleted).toMatchObject({ session: 1, session_check: 8, submission: 1, receipt: 1 })
    expect(Object.keys(own?.remaining ?? {})).toEqual(
      expect.arrayContaining([
        'session',
        'session_check',
        'review',
        'idempotent_reply',
        'submission',
        'receipt',
      ]),
    )
    for (const { remaining } of payload.services)
      expect(Object.values(remaining).every((count) => count === 0)).toBe(true)
    const actions = (await said(auditRecorded.name, sessionId)).map((entry) => entry.action)
    expect(actions).toEqual(['session.purged', 'session.purge_completed'])
  })

  test('is published again every minute until the last service confirms, and then only once more for the sweep', async () => {
    const sessionId = await decided()
    await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
    for (const service of purgeParticipants.slice(1)) await confirm(sessionId, service)
    await round({ seconds: 30 })
    expect(await said(sessionPurged.name, sessionId)).toHaveLength(1)
    await round({ seconds: 31 })
    expect(await said(sessionPurged.name, sessionId)).toHaveLength(2)
    await round({ seconds: 61 })
    expect(await said(sessionPurged.name, sessionId)).toHaveLength(3)
    expect((await get(`/v1/sessions/${sessionId}/purge-certificate`)).status).toBe(409)
    await confirm(sessionId, purgeParticipants[0])
    expect((await get(`/v1/sessions/${sessionId}/purge-certificate`)).status).toBe(200)
    for (let rounds = 0; rounds < 5; rounds++) await round({ seconds: 61 })
    expect(await said(sessionPurged.name, sessionId)).toHaveLength(4)
  })

  test('is exported on the gauge while open, and logged as an error after 15 minutes', async () => {
    const sessionId = await decided()
    await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
    harness.clock.advance({ minutes: 14 })
    expect(await harness.runPurges()).toEqual({ count: 1, oldestAgeSeconds: 840 })
    expect(harness.errors()).toEqual([])
    harness.clock.advance({ minutes: 2 })
    expect((await harness.runPurges()).oldestAgeSeconds).toBe(960)
    expect(harness.errors()).toEqual(['purges are not confirmed by every service'])
  })

  test('has no certificate while its files cannot be deleted; the next run deletes them', async () => {
    const sessionId = await decided()
    const { vault } = harness.deps
    const destroy = vault.destroy
    vault.destroy = () => Promise.reject(new Error('the disk is away'))
    await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(500)
    for (const service of purgeParticipants) await confirm(sessionId, service)
    const open = await get<{ error: { message: string } }>(`/v1/sessions/${sessionId}/purge-certificate`)
    expect(open).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('vault') } },
    })
    const decision = await get<Decision>(`/v1/sessions/${sessionId}/decision`)
    expect(decision.body.identity.full_name).toBeNull()
    vault.destroy = destroy
    await round({ seconds: 10 })
    expect((await get(`/v1/sessions/${sessionId}/purge-certificate`)).status).toBe(200)
  })

  test('is destroyed only by the request that started it, because a concurrent run would count part of the files', async () => {
    const sessionId = await decided()
    const { vault } = harness.deps
    const destroy = vault.destroy
    const destroyed: string[] = []
    vault.destroy = async (scope) => {
      destroyed.push(scope.session_id)
      if (destroyed.length === 1) await harness.runPurges()
      return destroy(scope)
    }
    try {
      await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
    } finally {
      vault.destroy = destroy
    }
    expect(destroyed).toEqual([sessionId])
  })

  test('adds the counts of the sweep to those of the first confirmation', async () => {
    const sessionId = await decided()
    await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
    await confirm(sessionId, 'flow', { deleted: 3 })
    await confirm(sessionId, 'flow', { deleted: 1 })
    for (const service of purgeParticipants.slice(0))
      if (service !== 'flow') await confirm(sessionId, service)
    const { body } = await get<SignedPurgeCertificate>(`/v1/sessions/${sessionId}/purge-certificate`)
    expect(body.payload.services.find((item) => item.service === 'flow')?.deleted).toEqual({ things: 4 })
  })

  test('cannot be confirmed for another app, and never shows its certificate to another app', async () => {
    const sessionId = await decided()
    await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
    for (const service of purgeParticipants)
      await confirm(sessionId, service, { app: 'app_anotherapp0000000000000' })
    expect((await get(`/v1/sessions/${sessionId}/purge-certificate`)).status).toBe(409)
    for (const service of purgeParticipants) await confirm(sessionId, service)
    const other = await harness.identity()
    expect((await get(`/v1/sessions/${sessionId}/purge-certificate`, other)).status).toBe(404)
    expect((await get(`/v1/sessions/${sessionId}/receipt`, other)).status).toBe(404)
  })
})

describe('the receipt of a decision', () => {
  test('is signed, matches the decision, and names workflow, evidence, checks and code', async () => {
    const sessionId = await decided()
    const receipt = await get<SignedReceipt>(`/v1/sessions/${sessionId}/receipt`)
    const decision = await get<Decision>(`/v1/sessions/${sessionId}/decision`)
    expect(receipt.status).toBe(200)
    expect(verifyReceipt(receipt.body, { keys: await keys(), decision: decision.body })).toEqual({
      kind: 'receipt',
      problems: [],
    })
    expect(receipt.body.payload).toMatchObject({
      status: 'approved',
      sequence: 3,
      review: null,
      workflow: { id: decision.body.workflow_id, version: 1 },
      code: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    })
    expect(receipt.body.payload.checks.map((check) => check.kind)).toEqual(
      decision.body.checks.map((check) => check.kind),
    )
  })

  test('does not exist before the decision or after the purge', async () => {
    const sessionId = await submitted(harness)
    expect((await get(`/v1/sessions/${sessionId}/receipt`)).status).toBe(409)
    await passAll(harness, sessionId)
    expect((await get(`/v1/sessions/${sessionId}/receipt`)).status).toBe(200)
    await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
    expect((await get(`/v1/sessions/${sessionId}/receipt`)).status).toBe(409)
  })

  test('is signed with a key that is unique to its app', async () => {
    const other = await harness.identity()
    const theirs = await get<{ keys: [] }>('/v1/signing-keys', other)
    const sessionId = await decided()
    const receipt = await get<SignedReceipt>(`/v1/sessions/${sessionId}/receipt`)
    expect(signatureProblem(receipt.body, theirs.body.keys)).not.toBeNull()
    expect(signatureProblem(receipt.body, await keys())).toBeNull()
  })
})
