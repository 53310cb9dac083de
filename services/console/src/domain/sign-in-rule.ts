import { type ConsoleRole, needsSecondFactor, type SignInState } from '@kyc/common'

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

/** What is outstanding once the password was right. */
export function stateAfterPassword(user: { role: ConsoleRole; enrolled: boolean }): SignInState {
  if (user.enrolled) return 'second_factor'
  return needsSecondFactor(user.role) ? 'enrolment' : 'full'
}

export const reauthenticatedUntil = (at: Date | null): Date | null =>
  at && new Date(at.getTime() + reauthenticationMs)
