import { PublicError } from '@kyc/common'
import { addressBlock, sha256Hex } from '@kyc/runtime'
import { attemptWindows } from '../domain/throttle-rule.ts'
import { countAttempt, forgiveAttempt, isKnownAddress } from '../store/throttle.ts'
import type { Operations } from './context.ts'

/** How an address nobody has is counted: as an account of its own, so that it is held up like any other. */
export const accountOf = (user: { id: string } | null, email: string): string =>
  user?.id ?? `none:${sha256Hex(email.toLowerCase()).slice(0, 32)}`

/**
 * Counts an attempt before it is looked at; `rate_limited` when there were too many. The answer takes it back: call
 * it when the attempt was right.
 */
export async function beginAttempt(
  { database, clock }: Pick<Operations, 'database' | 'clock'>,
  attempt: {
    kind: 'password' | 'code' | 'reset'
    account: string
    userId: string | null
    address: string | null
  },
): Promise<() => Promise<void>> {
  const address = addressBlock(attempt.address)
  // Looked up for nobody too: an unknown account takes as long as a known one.
  const known = await isKnownAddress(database, attempt.userId ?? 'nobody', address)
  const windows = attemptWindows({ kind: attempt.kind, account: attempt.account, address, known })
  const seconds = await countAttempt(database, windows, clock.now())
  if (seconds !== null) {
    throw new PublicError('rate_limited', 'Too many attempts; please wait.', { retryAfterSeconds: seconds })
  }
  return () => forgiveAttempt(database, windows)
}
