import { randomBytes } from 'node:crypto'
import { PublicError } from '@kyc/common'
import { addressBlock } from '@kyc/runtime'
import { challengeMs, challengeOf } from '../domain/passkeys.ts'
import { tokenHash } from '../domain/token-hash.ts'
import { isBrowserOfAnyUser } from '../store/known-browsers.ts'
import {
  type ChallengeUse,
  insertChallenge,
  openChallenges,
  takeChallenge,
} from '../store/passkey-challenges.ts'
import type { Operations } from './context.ts'

/** Limits the open challenges of one requester, because requesting one needs no sign-in. */
const maxOpenChallenges = 30

/** Where a request without a session comes from: the address, and the hash of the browser's cookie. */
type Origin = { address: string | null; browser: string | null }

/** A new challenge. Only its hash is stored. */
export async function issueChallenge(
  { database, clock }: Pick<Operations, 'database' | 'clock'>,
  use: ChallengeUse,
  origin: Origin,
): Promise<string> {
  const now = clock.now()
  const challenge = randomBytes(32).toString('base64url')
  const requester = use.signInId === null ? await requesterOf(database, origin) : null
  if (requester !== null && (await openChallenges(database, requester, now)) >= maxOpenChallenges) {
    throw new PublicError('rate_limited', 'Too many attempts; please wait.', {
      retryAfterSeconds: challengeMs / 1000,
    })
  }
  await insertChallenge(database, {
    sha256: tokenHash(challenge),
    use,
    requester,
    expiresAt: new Date(now.getTime() + challengeMs),
  })
  return challenge
}

/** A known browser is limited by itself, so that others at its address cannot use up its challenges. */
async function requesterOf(database: Operations['database'], { address, browser }: Origin): Promise<string> {
  if (browser !== null && (await isBrowserOfAnyUser(database, browser))) return `browser ${browser}`
  return addressBlock(address) ?? 'unknown'
}

/**
 * Uses up the challenge of a response. Null unless it was issued for this use and is open. It is used up even if the
 * response is invalid, so that a response cannot be corrected and sent again.
 */
export async function redeemChallenge(
  { database, clock }: Operations,
  use: ChallengeUse,
  clientDataJSON: string,
): Promise<string | null> {
  const challenge = challengeOf(clientDataJSON)
  if (challenge === null) return null
  return (await takeChallenge(database, tokenHash(challenge), use, clock.now())) ? challenge : null
}
