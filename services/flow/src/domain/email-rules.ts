import { randomInt } from 'node:crypto'

/** Six digits, ten minutes, five tries, sixty seconds between sends, five sends. */
export const codeLifetimeMs = 10 * 60_000
export const maxTries = 5
export const maxSends = 5
export const resendAfterMs = 60_000

/** Uniform over a million, from the system's generator. Test apps always get the same. */
export const newCode = (environment: 'test' | 'live'): string =>
  environment === 'test' ? '000000' : String(randomInt(0, 1_000_000)).padStart(6, '0')

/** `erika@example.org` becomes `e****@example.org`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}${'*'.repeat(Math.max(1, at - 1))}${email.slice(at)}`
}

/** Whole seconds until another mail may be sent. */
export const resendIn = (sentAt: Date, now: Date): number =>
  Math.max(0, Math.ceil((sentAt.getTime() + resendAfterMs - now.getTime()) / 1000))
