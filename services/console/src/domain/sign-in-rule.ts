import type { SignInState } from '@kyc/common'

const minute = 60_000

/** A session ends after half an hour without a request, and after twelve hours whatever happens. */
export const idleMs = 30 * minute
export const absoluteMs = 12 * 60 * minute
/** The time to find the telephone. */
export const secondFactorMs = 10 * minute
/** How long a password given again opens the acts that ask for it. */
export const reauthenticationMs = 5 * minute

export type SignInTimes = {
  state: SignInState
  created_at: Date
  last_seen_at: Date
  ended_at: Date | null
}

/** When the session ends at the latest, and when it ends unless something is done. */
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

/** What is outstanding once the password was right: a second factor is required of everybody. */
export const stateAfterPassword = (enrolled: boolean): SignInState =>
  enrolled ? 'second_factor' : 'enrolment'

/**
 * The state of a stored sign-in, given what its user has enrolled by now. Sessions older than the requirement, or than
 * the removal of a factor, may only enrol; one that waited to enrol while another session did has to give the factor.
 */
export function effectiveState(stored: SignInState, enrolled: boolean): SignInState {
  if (!enrolled) return 'enrolment'
  return stored === 'full' ? 'full' : 'second_factor'
}

export const reauthenticatedUntil = (at: Date | null): Date | null =>
  at && new Date(at.getTime() + reauthenticationMs)
