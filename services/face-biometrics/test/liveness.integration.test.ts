import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createLivenessChallenge, evaluateLiveness } from '@kyc/common'
import {
  attempt,
  type FaceHarness,
  fakePhoto,
  firstPhoto,
  hasFaces,
  livePhoto,
  newSession,
  startFaceService,
  workflow,
} from './harness.ts'

const active = workflow((steps) => {
  steps.liveness.mode = 'active'
})
const codes = ({ issues }: { issues: { code: string }[] }) => issues.map(({ code }) => code)

describe('liveness without model files', () => {
  let harness: FaceHarness
  beforeAll(async () => {
    harness = await startFaceService({ models: false })
  })
  afterAll(() => harness.close())

  test('lets the person continue and sends the session to a reviewer', async () => {
    const scope = newSession()
    const answer = await attempt(harness, scope, [Buffer.from('whatever')])
    expect(answer).toMatchObject({ accepted: true, issues: [] })
    expect((await harness.checks(scope)).get('liveness')).toMatchObject({ status: 'error', final: false })
  })

  test('requests no action in passive mode and two actions in active mode', async () => {
    const common = { ...newSession(), round: 1, environment: 'live' } as const
    const passive = await harness.bus.request(createLivenessChallenge, { ...common, config: workflow() })
    const asked = await harness.bus.request(createLivenessChallenge, { ...common, config: active })
    expect(passive.actions).toEqual([])
    expect(new Set(asked.actions).size).toBe(2)
    expect(asked.challenge_id).not.toBe(passive.challenge_id)
    expect(new Date(asked.expires_at).getTime() - harness.clock.now().getTime()).toBe(120_000)
  })

  test('follows the scenario of a test session', async () => {
    const [good, bad] = [newSession(), newSession()]
    expect(await attempt(harness, good, [Buffer.from('x')], { scenario: 'approved' })).toMatchObject({
      accepted: true,
    })
    await attempt(harness, bad, [Buffer.from('x')], { scenario: 'liveness_failed', last: true })
    expect((await harness.checks(good)).get('liveness')?.status).toBe('passed')
    expect((await harness.checks(bad)).get('liveness')?.status).toBe('failed')
  })
})

const measured = hasFaces ? describe : describe.skip
measured('liveness (skipped where photos or models are absent)', () => {
  let harness: FaceHarness
  beforeAll(async () => {
    harness = await startFaceService()
  })
  afterAll(() => harness.close())

  test('accepts a live person and rejects a picture of one without revealing how it was detected', async () => {
    const scope = newSession()
    expect(await attempt(harness, scope, [livePhoto()])).toMatchObject({ accepted: true, issues: [] })
    const live = (await harness.checks(scope)).get('liveness')!
    expect(live).toMatchObject({ status: 'passed', final: false, attempts: 1 })
    expect(live.score).toBeGreaterThan(0.95)

    const fake = await attempt(harness, newSession(), [fakePhoto()])
    expect(fake.accepted).toBe(false)
    expect(codes(fake)).toEqual(['liveness_low_score'])
  })

  test('accepts a person who cannot perform the actions for review, but still rejects a picture', async () => {
    const scope = newSession()
    const options = { config: active, still: true }
    expect(await attempt(harness, scope, [livePhoto()], options)).toMatchObject({ accepted: true })
    expect((await harness.checks(scope)).get('liveness')?.status).toBe('warning')
    expect(await attempt(harness, newSession(), [fakePhoto()], options)).toMatchObject({ accepted: false })
  })

  test('counts attempts, and accepts the last one with its warnings', async () => {
    const scope = newSession()
    await attempt(harness, scope, [fakePhoto()])
    const last = await attempt(harness, scope, [fakePhoto()], { last: true })
    expect(last.accepted).toBe(true)
    const check = (await harness.checks(scope)).get('liveness')!
    expect(check).toMatchObject({ status: 'failed', attempts: 2 })
    expect(check.warnings.map(({ code }) => code)).toContain('spoof_suspected')
  })

  test('returns the same response to a repeated request and judges it once', async () => {
    const scope = newSession()
    const { request, accepted, issues } = await attempt(harness, scope, [livePhoto()])
    expect(await harness.bus.request(evaluateLiveness, request)).toEqual({ accepted, issues })
    await harness.drain()
    expect((await harness.checks(scope)).get('liveness')?.attempts).toBe(1)
  })

  test('rejects a challenge that is used, expired or of another session', async () => {
    const scope = newSession()
    const { challenge_id } = await attempt(harness, scope, [fakePhoto()])
    const again = await attempt(harness, scope, [livePhoto()], { challenge_id })
    expect([again.accepted, codes(again)]).toEqual([false, ['challenge_expired']])

    const late = newSession()
    const common = { ...late, round: 1, environment: 'test', config: workflow() } as const
    const asked = await harness.bus.request(createLivenessChallenge, common)
    harness.clock.advance({ seconds: 121 })
    const answer = await attempt(harness, late, [livePhoto()], { challenge_id: asked.challenge_id })
    expect([answer.accepted, codes(answer)]).toEqual([false, ['challenge_expired']])

    const foreign = attempt(harness, newSession(scope.app_id), [livePhoto()], { challenge_id })
    await expect(foreign).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('rejects a still image as frames of an active challenge', async () => {
    const still = Array.from({ length: 5 }, livePhoto)
    const answer = await attempt(harness, newSession(), still, { config: active })
    expect([answer.accepted, codes(answer)]).toEqual([false, ['challenge_failed']])
  })

  test('rejects frames that already answered a challenge of another session', async () => {
    const app = newSession().app_id
    const scopes = [newSession(app), newSession(app)]
    const reasons: unknown[] = []
    for (const scope of scopes) {
      await attempt(harness, scope, [livePhoto(), firstPhoto(), fakePhoto()], { config: active })
      const check = (await harness.checks(scope)).get('liveness')!
      reasons.push(check.warnings.find(({ code }) => code === 'challenge_failed')?.details?.reasons)
    }
    expect(reasons[0]).not.toContain('frame_repeated')
    expect(reasons[0]).toContain('different_person')
    expect(reasons[1]).toContain('frame_repeated')
  })
})
