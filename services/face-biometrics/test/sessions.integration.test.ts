import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sessionPurged, sessionStatusChanged, toTimestamp } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { PrismaPg } from '@prisma/adapter-pg'
import sharp from 'sharp'
import { blockFace, unblockFace } from '../src/operations/block-face.ts'
import { PrismaClient } from '../src/store/generated/client.ts'
import {
  attempt,
  type FaceHarness,
  firstPhoto,
  hasFaces,
  livePhoto,
  newSession,
  secondPhoto,
  startFaceService,
  strangerPhoto,
  submit,
  workflow,
} from './harness.ts'

const codesOf = (check: { warnings: { code: string }[] } | undefined) =>
  check?.warnings.map(({ code }) => code)

describe('a submitted session without model files', () => {
  let harness: FaceHarness
  beforeAll(async () => {
    harness = await startFaceService({ models: false })
  })
  afterAll(() => harness.close())

  test('has checks with an error, and none that passed', async () => {
    const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } })
      .png()
      .toBuffer()
    const checks = await submit(harness, newSession(), { document: image, selfie: image })
    expect([...checks.values()].map(({ kind, status, final }) => [kind, status, final])).toEqual([
      ['liveness', 'error', true],
      ['face_match', 'error', true],
      ['duplicate', 'error', true],
    ])
    expect(codesOf(checks.get('face_match'))).toEqual(['face_models_unavailable'])
  })

  test('has only the checks that its workflow enables', async () => {
    const config = workflow((steps) => {
      steps.face_match.enabled = false
      steps.duplicate.enabled = false
    })
    expect([...(await submit(harness, newSession(), { config })).keys()]).toEqual(['liveness'])
  })

  test('has no face checks if its workflow takes no picture of the person', async () => {
    const config = workflow((steps) => {
      steps.liveness.enabled = false
      steps.face_match.enabled = false
    })
    expect((await submit(harness, newSession(), { config })).size).toBe(0)
  })

  test.each([
    ['approved', 'passed', 'passed'],
    ['face_mismatch', 'passed', 'failed'],
    ['liveness_failed', 'failed', 'passed'],
    ['aml_match', 'passed', 'passed'],
  ])('follows the test scenario %s', async (scenario, liveness, faceMatch) => {
    const checks = await submit(harness, newSession(), { scenario })
    expect(checks.get('liveness')?.status).toBe(liveness)
    expect(checks.get('face_match')?.status).toBe(faceMatch)
    expect(checks.get('duplicate')?.status).toBe('passed')
  })
})

const measured = hasFaces ? describe : describe.skip
measured('a submitted session (skipped where photos or models are absent)', () => {
  let harness: FaceHarness
  beforeAll(async () => {
    harness = await startFaceService()
  })
  afterAll(() => harness.close())

  test('publishes the liveness evaluated at upload as final', async () => {
    const scope = newSession()
    const { frames } = await attempt(harness, scope, [livePhoto()])
    const checks = await submit(harness, scope, { document: livePhoto(), frames })
    expect(checks.get('liveness')).toMatchObject({ status: 'passed', final: true, attempts: 1 })
    expect(checks.get('face_match')).toMatchObject({ status: 'passed', score: 1 })
  })

  test('matches the portrait of the document even if its photo is rotated', async () => {
    const upright = await submit(harness, newSession(), { document: firstPhoto(), selfie: secondPhoto() })
    const turned = await sharp(firstPhoto()).rotate(90).jpeg({ quality: 95 }).toBuffer()
    const lying = await submit(harness, newSession(), { document: turned, selfie: secondPhoto() })
    for (const checks of [upright, lying]) {
      const check = checks.get('face_match')!
      expect([check.status, check.warnings]).toEqual(['passed', []])
      expect(check.score).toBeGreaterThan(0.75)
      expect(check.engine?.name).toBe('yunet-sface')
    }
  })

  test('stores pictures with the faces marked, and the cropped faces, for the reviewer', async () => {
    const scope = newSession()
    const checks = await submit(harness, scope, { document: firstPhoto(), selfie: secondPhoto() })
    const { annotated, portraits } = checks.get('face_match')!.data as Record<
      'annotated' | 'portraits',
      { document: string; selfie: string }
    >
    for (const objectId of [...Object.values(annotated), ...Object.values(portraits)]) {
      const { format, width, height } = await sharp(await harness.deps.vault.get(scope, objectId)).metadata()
      expect(format).toBe('jpeg')
      expect(Math.max(width, height)).toBeLessThanOrEqual(640)
    }
    // The cropped faces match like the whole pictures.
    const cut = await Promise.all(
      [portraits.document, portraits.selfie].map((objectId) => harness.deps.vault.get(scope, objectId)),
    )
    const again = await submit(harness, newSession(), { document: cut[0]!, selfie: cut[1]! })
    const scores = [checks, again].map((each) => each.get('face_match')?.score ?? 0)
    expect(Math.abs(scores[0]! - scores[1]!)).toBeLessThan(0.1)
  })

  test('fails another person’s document, and sends one without a portrait to review', async () => {
    const other = await submit(harness, newSession(), { document: strangerPhoto(), selfie: secondPhoto() })
    expect(other.get('face_match')).toMatchObject({ status: 'failed' })
    expect(codesOf(other.get('face_match'))).toEqual(['face_mismatch'])
    const blank = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#abc' } })
      .png()
      .toBuffer()
    const none = await submit(harness, newSession(), { document: blank, selfie: secondPhoto() })
    expect(none.get('face_match')).toMatchObject({ status: 'warning', score: null })
    expect(codesOf(none.get('face_match'))).toEqual(['document_face_missing'])
  })

  test('reports a missing stored picture as an error, never as a missing face', async () => {
    const gone = { object_id: newId('object'), sha256: '0'.repeat(64) }
    const checks = await submit(harness, newSession(), { document: firstPhoto(), frames: [gone] })
    expect(checks.get('face_match')).toMatchObject({
      status: 'error',
      score: null,
      warnings: [],
      data: { obstacle: 'evidence_unreadable' },
    })
    expect(checks.get('duplicate')?.status).toBe('error')
  })

  test('sends a similarity below review_below to review', async () => {
    const config = workflow((steps) => {
      steps.face_match.review_below = 0.95
    })
    const checks = await submit(harness, newSession(), {
      document: firstPhoto(),
      selfie: secondPhoto(),
      config,
    })
    expect(checks.get('face_match')?.status).toBe('warning')
    expect(codesOf(checks.get('face_match'))).toEqual(['face_match_borderline'])
  })

  test('finds the same face only in sessions of the same app, until they are purged', async () => {
    const app_id = newId('app')
    const first = newSession(app_id)
    const alone = await submit(harness, first, { selfie: firstPhoto(), vendor_data: 'customer 1' })
    expect(alone.get('duplicate')).toMatchObject({ status: 'passed', score: 0 })
    await harness.tell(sessionStatusChanged, {
      ...first,
      sequence: 3,
      status: 'approved',
      previous_status: 'processing',
      decision_reason: null,
      vendor_data: 'customer 1',
      workflow_id: newId('workflow'),
      sealed_decision: null,
      occurred_at: toTimestamp(harness.clock.now()),
    })

    const again = (await submit(harness, newSession(app_id), { selfie: secondPhoto() })).get('duplicate')!
    expect([again.status, codesOf(again)]).toEqual(['warning', ['duplicate_face']])
    expect(again.data.face_matches).toEqual([
      { session_id: first.session_id, similarity: again.score, status: 'approved' },
    ])
    const sameCustomer = { selfie: secondPhoto(), vendor_data: 'customer 1' }
    const known = (await submit(harness, newSession(app_id), sameCustomer)).get('duplicate')!
    expect(
      (known.data.face_matches as { session_id: string }[]).map(({ session_id }) => session_id),
    ).not.toContain(first.session_id)
    const elsewhere = await submit(harness, newSession(), { selfie: secondPhoto() })
    expect(elsewhere.get('duplicate')).toMatchObject({
      status: 'passed',
      data: { document_matches: [], face_matches: [] },
    })

    await harness.tell(sessionPurged, { ...first, purged_at: toTimestamp(harness.clock.now()) })
    expect(harness.purges.find(({ session_id }) => session_id === first.session_id)).toMatchObject({
      service: 'face-biometrics',
      deleted: { face_embeddings: 1 },
    })
    const later = (await submit(harness, newSession(app_id), { selfie: secondPhoto() })).get('duplicate')!
    expect(
      (later.data.face_matches as { session_id: string }[]).map(({ session_id }) => session_id),
    ).not.toContain(first.session_id)
  })

  test('fails a duplicate if the workflow declines it, and passes it if the action is none', async () => {
    const app_id = newId('app')
    await submit(harness, newSession(app_id), { selfie: firstPhoto() })
    for (const [action, status] of [
      ['decline', 'failed'],
      ['none', 'passed'],
    ] as const) {
      const config = workflow((steps) => {
        steps.duplicate.face_action = action
      })
      const checks = await submit(harness, newSession(app_id), { selfie: secondPhoto(), config })
      expect(checks.get('duplicate')?.status).toBe(status)
    }
  })

  test('fails a face on the app’s block list until it is removed, even after its session is purged', async () => {
    const app_id = newId('app')
    const blocked = newSession(app_id)
    await submit(harness, blocked, { selfie: firstPhoto() })
    const { database, vault } = harness.deps
    const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, { schema: database.schema }) })
    const operations = { database, prisma, vault, clock: harness.clock }
    const entry = await blockFace(operations, blocked)
    await harness.tell(sessionPurged, { ...blocked, purged_at: toTimestamp(harness.clock.now()) })
    await vault.destroy(blocked)

    const config = workflow((steps) => {
      steps.duplicate.face_action = 'none'
    })
    const again = await submit(harness, newSession(app_id), { selfie: secondPhoto(), config })
    expect(again.get('duplicate')?.status).toBe('failed')
    expect(codesOf(again.get('duplicate'))).toContain('face_blocklisted')
    const stranger = await submit(harness, newSession(app_id), { selfie: strangerPhoto(), config })
    expect(codesOf(stranger.get('duplicate'))).toEqual([])

    await expect(unblockFace(operations, { app_id: newId('app'), ...entry })).rejects.toMatchObject({
      code: 'not_found',
    })
    await unblockFace(operations, { app_id, ...entry })
    const free = await submit(harness, newSession(app_id), { selfie: firstPhoto(), config })
    expect(codesOf(free.get('duplicate'))).not.toContain('face_blocklisted')
    await prisma.$disconnect()
  })

  test('never stores an embedding that is readable without the session’s key', async () => {
    const scope = newSession()
    await submit(harness, scope, { selfie: firstPhoto() })
    const { rows } = await harness.database.query<{ sealed: Buffer }>(
      'SELECT sealed FROM face WHERE session_id = $1',
      [scope.session_id],
    )
    expect(rows).toHaveLength(1)
    await harness.deps.vault.destroy(scope)
    await expect(harness.deps.vault.open(scope, 'face.embedding', rows[0]!.sealed)).rejects.toMatchObject({
      code: 'key_destroyed',
    })
  })
})
