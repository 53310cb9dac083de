import { PublicError } from '@kyc/common'
import { addressBlock, sha256Hex } from '@kyc/runtime'
import { type AttemptKind, attemptWindows } from '../domain/throttle-rule.ts'
import { isKnownBrowser } from '../store/known-browsers.ts'
import { countAttempt, forgiveAttempt } from '../store/throttle.ts'
import type { Operations } from './context.ts'

/** An e-mail address without an account is counted like an account, so that the limits do not reveal which exist. */
export const accountOf = (user: { id: string } | null, email: string): string =>
  user?.id ?? `none:${sha256Hex(email.toLowerCase()).slice(0, 32)}`

/**
 * Counts an attempt before it is verified, and throws `rate_limited` after too many. Call the returned function once the
 * attempt has succeeded; it reverts the count.
 */
export async function beginAttempt(
  { database, clock }: Pick<Operations, 'database' | 'clock'>,
  attempt: {
    kind: AttemptKind
    account: string
    userId: string | null
    address: string | null
    /** The hash of the browser's cookie, from the caller; null if there is none. */
    browser: string | null
  },
): Promise<() => Promise<void>> {
  const address = addressBlock(attempt.address)
  const { kind, account, browser } = attempt
  // Runs without an account too, so that the duration does not reveal which accounts exist.
  const known = browser !== null && (await isKnownBrowser(database, attempt.userId ?? 'nobody', browser))
  const windows = attemptWindows({ kind, account, address, knownBrowser: known ? browser : null })
  const seconds = await countAttempt(database, windows, clock.now())
  if (seconds !== null) {
    throw new PublicError('rate_limited', 'Too many attempts; please wait.', { retryAfterSeconds: seconds })
  }
  return () => forgiveAttempt(database, windows)
}
