import { type CaptureIssue, type Check, type Engine, statusOf, type Warning, warningOf } from '@kyc/common'
import type { ChallengeAction } from './challenge.ts'
import { type FaceQuality, faceQualityIssues } from './face-quality.ts'
import type { ChallengeFailure } from './judge-challenge.ts'
import type { LivenessJudgement } from './judge-liveness.ts'

export type LivenessInput = {
  mode: 'passive' | 'active'
  /** From the workflow, 0 to 1: passes at or above `pass`, fails below `review`; between them a reviewer decides. */
  pass: number
  review: number
  actions: readonly ChallengeAction[]
  /** The person could not perform the requested movements; a reviewer always decides. */
  without_movement?: boolean
  /** Null if the challenge was unknown, used or expired, so that nothing was judged. */
  judgement: LivenessJudgement | null
  frames: number
  /** Quality of the best frame; null without a face. */
  quality: FaceQuality | null
  attempts: number
  started_at: string
  completed_at: string
  engine: Engine
}

const warn = (...[code, message, details]: [Parameters<typeof warningOf<'liveness'>>[1], string, object?]) =>
  warningOf('liveness', code, message, details ? { details: { ...details } } : {})

const qualityMessages = {
  face_dark: 'The face is too dark.',
  face_bright: 'The face is too bright.',
  face_low_quality: 'The face is too small, blurred, turned away or covered.',
} as const

/** Failures with their own warning code; all others are reported as a failed challenge. */
const separate: ReadonlySet<ChallengeFailure> = new Set(['no_face', 'multiple_faces'])

function warningsOf(input: LivenessInput): Warning[] {
  const { judgement, quality } = input
  if (!judgement) return [warn('challenge_expired', 'The challenge was answered too late or a second time.')]
  const warnings: Warning[] = []
  if (judgement.failures.includes('no_face')) warnings.push(warn('no_face', 'A frame shows no face.'))
  if (judgement.failures.includes('multiple_faces'))
    warnings.push(warn('multiple_faces', 'A frame shows more than one face.'))
  const reasons = judgement.failures.filter((failure) => !separate.has(failure))
  if (reasons.length > 0)
    warnings.push(warn('challenge_failed', 'The frames do not answer the challenge.', { reasons }))
  if (judgement.failures.length === 0) {
    if (judgement.score < input.review)
      warnings.push(warn('spoof_suspected', 'The face looks like a picture, a screen or a mask.'))
    else if (judgement.score < input.pass)
      warnings.push(warn('liveness_low_score', 'It is not certain that a live person is before the camera.'))
    else if (input.without_movement)
      warnings.push(
        warn('liveness_low_score', 'The person could not make the movements that were asked for.'),
      )
  }
  for (const issue of quality ? faceQualityIssues(quality) : [])
    warnings.push(warn(issue, qualityMessages[issue]))
  return warnings
}

/** The `liveness` check of one attempt. */
export function livenessCheck(input: LivenessInput): Check {
  const warnings = warningsOf(input)
  return {
    kind: 'liveness',
    status: statusOf(warnings),
    score: input.judgement?.score ?? 0,
    data: {
      method: input.mode,
      challenge: input.actions,
      completed_actions: input.judgement?.completed_actions ?? [],
      frames: input.frames,
      passive_score: input.judgement?.passive_score ?? null,
      quality: input.quality,
    },
    warnings,
    attempts: input.attempts,
    started_at: input.started_at,
    completed_at: input.completed_at,
    engine: input.engine,
  }
}

/** The `liveness` check if it could not run; a reviewer decides. */
export function livenessError(input: {
  reason: 'models_unavailable' | 'no_attempt'
  attempts: number
  started_at: string
  completed_at: string
}): Check {
  return {
    kind: 'liveness',
    status: 'error',
    score: null,
    data: { reason: input.reason },
    warnings: [],
    attempts: input.attempts,
    started_at: input.started_at,
    completed_at: input.completed_at,
    engine: null,
  }
}

/** Advice for the person, most useful first. It never reveals how an attack was detected. */
const advice: Readonly<Record<string, string>> = {
  challenge_expired: 'That took too long. Please try again.',
  no_face: 'Make sure your face is in the picture.',
  multiple_faces: 'Make sure that only you are in the picture.',
  face_dark: 'It is too dark. Turn towards the light.',
  face_bright: 'It is too bright. Turn away from the light.',
  face_low_quality: 'Hold the camera still, at eye level, with your whole face uncovered.',
  challenge_failed: 'Follow the instructions one after the other, slowly.',
  liveness_low_score: 'Try again in even light, with your face uncovered.',
}

export function livenessIssues(check: Check): CaptureIssue[] {
  const codes = new Set(
    check.warnings.map(({ code }) => (code === 'spoof_suspected' ? 'liveness_low_score' : code)),
  )
  return Object.entries(advice)
    .filter(([code]) => codes.has(code))
    .map(([code, message]) => ({ code, message }))
}
