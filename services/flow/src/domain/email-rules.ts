import { randomInt } from 'node:crypto'

/** A code has six digits, is valid for ten minutes and allows five attempts; five sends, at least 60 seconds apart. */
export const codeLifetimeMs = 10 * 60_000
export const maxTries = 5
export const maxSends = 5
export const resendAfterMs = 60_000

/** Uniform over 1,000,000 codes, from the system's secure random generator. Test apps always get `000000`. */
export const newCode = (environment: 'test' | 'live'): string =>
  environment === 'test' ? '000000' : String(randomInt(0, 1_000_000)).padStart(6, '0')

/** `erika@example.org` becomes `e****@example.org`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}${'*'.repeat(Math.max(1, at - 1))}${email.slice(at)}`
}

/** Whole seconds until another e-mail may be sent. */
export const resendIn = (sentAt: Date, now: Date): number =>
  Math.max(0, Math.ceil((sentAt.getTime() + resendAfterMs - now.getTime()) / 1000))
