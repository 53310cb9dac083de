/** What a person can be asked to do. Left and right are the person's own. */
export const challengeActions = ['turn_left', 'turn_right', 'look_up', 'come_closer'] as const
export type ChallengeAction = (typeof challengeActions)[number]

/** How many actions a challenge has. */
export const CHALLENGE_LENGTH = 2
/** How long a challenge may be answered. */
export const CHALLENGE_SECONDS = 120

/**
 * Two different actions in random order. As there is one action that needs no turn of the head, every challenge has
 * at least one that a flat picture cannot do. `randomBelow(n)` gives a whole number from 0 to n − 1 that an
 * attacker cannot foresee.
 */
export function makeChallenge(randomBelow: (bound: number) => number): ChallengeAction[] {
  const left = [...challengeActions]
  return Array.from({ length: CHALLENGE_LENGTH }, () => left.splice(randomBelow(left.length), 1)[0]!)
}
