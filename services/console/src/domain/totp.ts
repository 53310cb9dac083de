import { Secret, TOTP } from 'otpauth'

const issuer = 'Identity verification'
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** 160 random bits. Every authenticator app supports RFC 6238 with its defaults. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The content of the QR code. */
export const otpauthUrl = (secret: string, email: string): string =>
  new TOTP({ ...settings, issuer, label: email, secret: Secret.fromBase32(secret) }).toString()

/**
 * The time step of a valid code, or null. Clocks may differ by one step. A step at or before `lastStep` is rejected,
 * because its code was used already.
 */
export function matchTotp(secret: string, code: string, now: Date, lastStep: number): number | null {
  const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: 1 })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / settings.period) + delta
  return step > lastStep ? step : null
}
