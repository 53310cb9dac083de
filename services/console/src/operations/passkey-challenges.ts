import { randomBytes } from 'node:crypto'
import { PublicError } from '@kyc/common'
import { addressBlock } from '@kyc/runtime'
import { challengeMs, challengeOf } from '../domain/passkeys.ts'
import { tokenHash } from '../domain/token-hash.ts'
import {
  type ChallengeUse,
  insertChallenge,
  openChallenges,
  takeChallenge,
} from '../store/passkey-challenges.ts'
import type { Operations } from './context.ts'

/** Limits the open challenges per address, because requesting one needs no sign-in. */
const maxOpenChallenges = 30

/** A new challenge. Only its hash is stored. */
export async function issueChallenge(
  { database, clock }: Operations,
  use: ChallengeUse,
  address: string | null,
): Promise<string> {
  const now = clock.now()
  const challenge = randomBytes(32).toString('base64url')
  const block = use.signInId === null ? (addressBlock(address) ?? 'unknown') : null
  if (block !== null && (await openChallenges(database, block, now)) >= maxOpenChallenges) {
    throw new PublicError('rate_limited', 'Too many attempts; please wait.', {
      retryAfterSeconds: challengeMs / 1000,
    })
  }
  await insertChallenge(database, {
    sha256: tokenHash(challenge),
    use,
    address: block,
    expiresAt: new Date(now.getTime() + challengeMs),
  })
  return challenge
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
