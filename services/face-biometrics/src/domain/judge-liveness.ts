import type { ChallengeAction } from './challenge.ts'
import { type ChallengeFailure, judgeChallenge } from './judge-challenge.ts'
import type { ObservedFrame } from './observed-frame.ts'

export type LivenessJudgement = {
  /** Probability of a live person, 0 to 1, combined as described at `judgeLiveness`. */
  score: number
  /** Mean of the passive scores of frontal frames; null without a face. */
  passive_score: number | null
  completed_actions: ChallengeAction[]
  failures: ChallengeFailure[]
}

/** The passive networks were trained on frontal faces; turned faces say little about the medium. */
const FRONTAL_DEGREES = 20

/** Mean over the frontal frames, or over all frames if none is frontal. */
function passiveScore(frames: readonly ObservedFrame[]): number | null {
  const faces = frames.flatMap(({ face }) => (face ? [face] : []))
  if (faces.length === 0) return null
  const frontal = faces.filter(({ pose }) => Math.abs(pose.yaw) <= FRONTAL_DEGREES)
  const counted = frontal.length > 0 ? frontal : faces
  return counted.reduce((sum, { passive_score }) => sum + passive_score, 0) / counted.length
}

/**
 * Combines passive and active liveness:
 * - passive (no actions): the passive score, or 0 if a frame shows no face, several faces or another person;
 * - active: the passive score if the challenge passed, else 0. A high passive score never outweighs a failed
 *   challenge, because an injected recording of the person looks as genuine as the person.
 */
export function judgeLiveness(
  actions: readonly ChallengeAction[],
  frames: readonly ObservedFrame[],
): LivenessJudgement {
  const passive = passiveScore(frames)
  const judgement = judgeChallenge(actions, frames)
  const failures =
    actions.length > 0
      ? judgement.failures
      : judgement.failures.filter((failure) => passiveFailures.has(failure))
  return {
    score: failures.length === 0 ? (passive ?? 0) : 0,
    passive_score: passive,
    completed_actions: judgement.completed,
    failures,
  }
}

/** Failures that also apply without a challenge: exactly one person must be visible, but may stay still. */
const passiveFailures: ReadonlySet<ChallengeFailure> = new Set([
  'no_face',
  'multiple_faces',
  'different_person',
])
