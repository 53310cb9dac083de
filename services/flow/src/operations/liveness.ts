import { createLivenessChallenge, type EvidenceRef, type endpoints, evaluateLiveness } from '@kyc/common'
import { newId } from '@kyc/runtime'
import type { z } from 'zod'
import { assertOpen, viewSteps } from '../domain/progress.ts'
import { earlierAnswer, rememberedUpload } from '../domain/repeated-upload.ts'
import { replaceEvidence } from '../store/evidence.ts'
import { findSteps, writeStep } from '../store/steps.ts'
import { type Operations, scopeOf, type Visit } from './context.ts'
import { ensureStarted } from './ensure-started.ts'
import { contentTypeOf } from './image-type.ts'
import { keepStep } from './keep-step.ts'

type Answer = z.input<typeof endpoints.uploadLiveness.success.body>
type Challenge = z.input<typeof endpoints.getLivenessChallenge.success.body>

/** The challenge for the person. A GET must not start a session, so the step must already be open. */
export async function getChallenge(operations: Operations, visit: Visit): Promise<Challenge> {
  const { session } = visit
  assertOpen('liveness', viewSteps(session.config, await findSteps(operations.database, session)))
  return operations.bus.request(
    createLivenessChallenge,
    { ...scopeOf(session), round: session.round, environment: session.environment, config: session.config },
    { traceparent: visit.traceparent },
  )
}

/** Stores the frames of one attempt and requests their evaluation. */
export async function uploadLiveness(
  operations: Operations,
  opened: Visit,
  attempt: {
    challenge_id: string
    upload_id?: string | undefined
    accommodation?: 'no_movement' | undefined
  },
  frames: readonly Buffer[],
): Promise<Answer> {
  const types = frames.map((frame) => contentTypeOf(frame, 'frames'))
  const visit = await ensureStarted(operations, opened)
  const { session } = visit
  const records = await findSteps(operations.database, session)
  const before = earlierAnswer<Answer>(
    records.find(({ step }) => step === 'liveness'),
    attempt.upload_id,
  )
  if (before) return before
  const view = assertOpen('liveness', viewSteps(session.config, records))
  const used = view.record?.attempts_used ?? 0
  const max = session.config.steps.liveness.max_attempts

  const scope = scopeOf(session)
  const stored = await Promise.all(
    frames.map((frame, index) =>
      operations.vault.put(scope, newId('object'), frame, { contentType: types[index] ?? 'image/jpeg' }),
    ),
  )
  const discard = () => Promise.all(stored.map((file) => operations.vault.delete(scope, file.object_id)))
  const verdict = await operations.bus
    .request(
      evaluateLiveness,
      {
        ...scope,
        round: session.round,
        environment: session.environment,
        challenge_id: attempt.challenge_id,
        frames: stored.map(({ object_id, sha256 }) => ({ object_id, sha256 })),
        without_movement: attempt.accommodation === 'no_movement',
        last_attempt: used + 1 >= max,
        config: session.config,
        test_scenario: session.test_scenario,
      },
      { traceparent: visit.traceparent },
    )
    .catch(async (error: unknown) => {
      await discard()
      throw error
    })

  const now = operations.clock.now()
  if (!verdict.accepted) {
    const remaining = Math.max(0, max - used - 1)
    const answer = { accepted: false, issues: verdict.issues, attempts_remaining: remaining }
    const progress = rememberedUpload(attempt.upload_id, answer)
    const next = { step: 'liveness', status: 'retry', attempts_used: used + 1, progress } as const
    await writeStep(operations.database, session, view.record, next, now)
    await discard()
    return answer
  }
  const refs = stored.map(
    ({ object_id, sha256 }): EvidenceRef => ({
      kind: 'liveness_frame',
      object_id,
      sha256,
      capture_method: 'camera',
      document_type: null,
      country: null,
    }),
  )
  const answer = { accepted: true, issues: verdict.issues, attempts_remaining: max - used }
  await operations.database.transaction(async (tx) => {
    const progress = rememberedUpload(attempt.upload_id, answer)
    const next = { step: 'liveness', status: 'completed', attempts_used: used, progress } as const
    await keepStep(operations, tx, session, view.record, next, now)
    await replaceEvidence(tx, session, 'liveness_frame', refs, now)
  })
  return answer
}
