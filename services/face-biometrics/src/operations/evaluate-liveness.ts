import {
  badRequest,
  type Check,
  checkCompleted,
  type evaluateLiveness as contract,
  sealContexts,
  toTimestamp,
} from '@kyc/common'
import { sha256Hex } from '@kyc/runtime'
import type { z } from 'zod'
import { bestFrame } from '../domain/best-frame.ts'
import { judgeLiveness, type LivenessJudgement } from '../domain/judge-liveness.ts'
import { livenessCheck, livenessError, livenessIssues } from '../domain/liveness-check.ts'
import { type Scope, scopeOf } from '../domain/session-scope.ts'
import { scenarioChecks } from '../domain/test-scenario.ts'
import { ImageError } from '../engine/image-error.ts'
import { ModelsUnavailableError } from '../engine/models-unavailable-error.ts'
import { type Observation, observeFrame } from '../engine/observe-frame.ts'
import { anyAnswered, rememberAnswered } from '../store/answered-frames.ts'
import { findAttempt, saveAttempt } from '../store/attempts.ts'
import {
  type ChallengeAnswer,
  type ChallengeRecord,
  findChallenge,
  useChallenge,
} from '../store/challenges.ts'
import type { Operations } from './context.ts'

type Request = z.output<typeof contract.request>

/** The result of one attempt. */
type Outcome = { check: Check; bestFrame: string | null; hashes: string[] }

/**
 * Judges the frames of one attempt against its challenge, stores the outcome and publishes the check. A repeated
 * request with the same frames gets the same response; with other frames the challenge counts as used.
 */
export async function evaluateLiveness(
  operations: Operations,
  request: Request,
  traceparent?: string,
): Promise<ChallengeAnswer> {
  const { database, vault, clock, outbox } = operations
  const scope = scopeOf(request)
  const challenge = await findChallenge(database, scope, request.round, request.challenge_id)
  if (!challenge) throw badRequest('challenge_id: is not a challenge of this session')
  const framesDigest = sha256Hex(request.frames.map(({ sha256 }) => sha256).join())
  if (challenge.answer && challenge.frames_digest === framesDigest) return challenge.answer

  const attempts = ((await findAttempt(database, scope, request.round))?.attempts ?? 0) + 1
  const outcome = await judge(operations, request, challenge, attempts)
  const { check } = outcome
  // Do not request another attempt if this one could not be judged; a reviewer decides.
  const accepted = servesAsIs(check, request) || check.status === 'error' || request.last_attempt
  const answer = { accepted, issues: livenessIssues(check) }
  const sealed = await vault.seal(scope, sealContexts.check_data, check)
  const now = clock.now()
  const kept = await database.transaction(async (tx) => {
    const used = await useChallenge(tx, challenge.challenge_id, { at: now, framesDigest, answer })
    if (!used && !challenge.used_at) return false
    await rememberAnswered(tx, scope, outcome.hashes, now)
    await saveAttempt(tx, scope, {
      round: request.round,
      attempts,
      status: check.status,
      best_frame: outcome.bestFrame,
      sealed_check: sealed,
      at: now,
    })
    await outbox.append(
      tx,
      checkCompleted,
      {
        ...scope,
        round: request.round,
        final: false,
        kind: 'liveness',
        status: check.status,
        sealed_check: sealed.toString('base64'),
      },
      { orderingKey: scope.session_id, ...(traceparent ? { traceparent } : {}) },
    )
    return true
  })
  // A concurrent request used the challenge first, so its response applies.
  return kept ? answer : evaluateLiveness(operations, request, traceparent)
}

/** If the person cannot perform the actions, good pictures suffice, because another attempt would not improve them. */
const servesAsIs = (check: Check, request: Request): boolean =>
  check.status === 'passed' ||
  (request.without_movement && check.warnings.every(({ code }) => code === 'liveness_low_score'))

async function judge(
  operations: Operations,
  request: Request,
  challenge: ChallengeRecord,
  attempts: number,
): Promise<Outcome> {
  const { clock, engine } = operations
  const { liveness } = request.config.steps
  const startedAt = clock.now()
  const started_at = toTimestamp(startedAt)
  const done = () => toTimestamp(clock.now())
  if (request.environment === 'test' && request.test_scenario !== null) {
    const { liveness: check } = scenarioChecks(request.test_scenario, request.config, started_at)
    return { check: { ...check, attempts }, bestFrame: request.frames[0]?.object_id ?? null, hashes: [] }
  }
  const fresh = challenge.used_at === null && challenge.expires_at > startedAt
  try {
    const observed = await observeAll(operations, request)
    const frames = observed.map(({ frame }) => frame)
    const best = bestFrame(observed.map(({ quality }) => quality))
    const actions = request.without_movement ? [] : challenge.actions
    const hashes =
      actions.length > 0
        ? await hashesOf(
            operations,
            request,
            frames.map(({ pixels_sha256 }) => pixels_sha256),
          )
        : []
    const judged = judgeLiveness(actions, frames)
    const replayed = hashes.length > 0 && (await anyAnswered(operations.database, request.app_id, hashes))
    const check = livenessCheck({
      mode: liveness.mode,
      pass: liveness.pass,
      review: liveness.review,
      actions: challenge.actions,
      without_movement: request.without_movement && challenge.actions.length > 0,
      judgement: fresh ? (replayed ? asReplay(judged) : judged) : null,
      frames: frames.length,
      quality: observed[best]?.quality ?? null,
      attempts,
      started_at,
      completed_at: done(),
      engine: await engine.livenessEngine(),
    })
    return { check, bestFrame: request.frames[best]?.object_id ?? null, hashes }
  } catch (error) {
    if (!(error instanceof ModelsUnavailableError)) throw error
    const check = livenessError({ reason: 'models_unavailable', attempts, started_at, completed_at: done() })
    return { check, bestFrame: request.frames[0]?.object_id ?? null, hashes: [] }
  }
}

/** Frames that already answered a challenge are a replay, regardless of their content. */
const asReplay = (judgement: LivenessJudgement): LivenessJudgement => ({
  ...judgement,
  score: 0,
  failures: [...new Set([...judgement.failures, 'frame_repeated' as const])],
})

/** Keyed hashes, so that the table does not reveal which pictures were sent. */
const hashesOf = (operations: Operations, { app_id }: Scope, sums: readonly string[]): Promise<string[]> =>
  Promise.all(sums.map((sum) => operations.vault.keyedHash({ app_id }, 'liveness.frame', sum)))

async function observeAll(operations: Operations, request: Request): Promise<Observation[]> {
  const observed: Observation[] = []
  // Sequentially, so that an attempt takes only one slot in the engine's queue, regardless of its number of frames.
  for (const { object_id } of request.frames) {
    const bytes = await operations.vault.get(scopeOf(request), object_id)
    const frame = await observeFrame(operations.engine, bytes).catch((error: unknown) => {
      if (error instanceof ImageError) return unreadable(object_id)
      throw error
    })
    observed.push(frame)
  }
  return observed
}

/** A frame that cannot be decoded counts as a frame without a face. */
const unreadable = (objectId: string): Observation => ({
  frame: { pixels_sha256: objectId, thumbnail: new Float32Array(256), faces: 0, face: null },
  quality: null,
})
