/** Possible actions. Left and right are from the person's perspective. */
export const challengeActions = ['turn_left', 'turn_right', 'look_up', 'come_closer'] as const
export type ChallengeAction = (typeof challengeActions)[number]

/** Number of actions in a challenge. */
export const CHALLENGE_LENGTH = 2
/** Lifetime of a challenge, in seconds. */
export const CHALLENGE_SECONDS = 120

/**
 * Two different actions in random order. Only one of the actions needs no turn of the head, so every challenge has at
 * least one that a flat picture cannot perform. `randomBelow(n)` must return an unpredictable integer from 0 to n − 1.
 */
export function makeChallenge(randomBelow: (bound: number) => number): ChallengeAction[] {
  const left = [...challengeActions]
  return Array.from({ length: CHALLENGE_LENGTH }, () => left.splice(randomBelow(left.length), 1)[0]!)
}
