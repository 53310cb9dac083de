import type { SignInState } from '@kyc/common'

const minute = 60_000

/** A session ends after half an hour without a request, and after twelve hours in any case. */
export const idleMs = 30 * minute
export const absoluteMs = 12 * 60 * minute
/** Allows time to find the phone. */
export const secondFactorMs = 10 * minute
/** How long a re-authentication permits the actions that require one. */
export const reauthenticationMs = 5 * minute

export type SignInTimes = {
  state: SignInState
  created_at: Date
  last_seen_at: Date
  ended_at: Date | null
}

/** The latest possible end of the session, and its end if no further request arrives. */
export function endsAt(signIn: SignInTimes): { absolute: Date; idle: Date } {
  const lifetime = signIn.state === 'second_factor' ? secondFactorMs : absoluteMs
  const absolute = new Date(signIn.created_at.getTime() + lifetime)
  const idle = new Date(Math.min(signIn.last_seen_at.getTime() + idleMs, absolute.getTime()))
  return { absolute, idle }
}

export const isLive = (signIn: SignInTimes, now: Date): boolean =>
  signIn.ended_at === null && now < endsAt(signIn).idle

export type SecondFactors = { totp_secret: Buffer | null; passkeys: number }

export const isEnrolled = (user: SecondFactors): boolean => user.totp_secret !== null || user.passkeys > 0

/** The state after a correct password. Every user needs a second factor. */
export const stateAfterPassword = (enrolled: boolean): SignInState =>
  enrolled ? 'second_factor' : 'enrolment'

/**
 * The state of a stored sign-in, given the factors that its user has now. A session from before the requirement, or whose
 * factors were removed, may only enrol. A session that waited to enrol while another one did must give that factor.
 */
export function effectiveState(stored: SignInState, enrolled: boolean): SignInState {
  if (!enrolled) return 'enrolment'
  return stored === 'full' ? 'full' : 'second_factor'
}

export const reauthenticatedUntil = (at: Date | null): Date | null =>
  at && new Date(at.getTime() + reauthenticationMs)
