import { type SignInState, unauthorized } from '@kyc/common'
import { newId, newToken, type Sql } from '@kyc/runtime'
import { isEnrolled, stateAfterPassword } from '../domain/sign-in-rule.ts'
import { tokenHash } from '../domain/token-hash.ts'
import { insertSignIn } from '../store/sign-ins.ts'
import { findUserByEmail, markSignedIn, type User } from '../store/users.ts'
import { accountOf, beginAttempt } from './attempts.ts'
import { audit, type Operations } from './context.ts'
import { verifyPassword } from './passwords.ts'

/** A token for the cookie, and the state, which says what is outstanding. */
export type SignedIn = { token: string; state: SignInState }

/** E-mail and password. Unknown address, disabled user and wrong password give the same response after the same time. */
export async function signIn(
  operations: Operations,
  given: {
    email: string
    password: string
    address: string | null
    browser: string | null
    device: string
  },
): Promise<SignedIn> {
  const { database, clock, logger } = operations
  const { address } = given
  const user = await findUserByEmail(database, given.email)
  const forgive = await beginAttempt(operations, {
    kind: 'password',
    account: accountOf(user, given.email),
    userId: user?.id ?? null,
    address,
    browser: given.browser,
  })
  const right = await verifyPassword(user?.password_hash ?? null, given.password)
  if (!user || !right || user.disabled_at) {
    logger.warn('a sign-in failed', { user_id: user?.id ?? null })
    if (user) {
      // Not awaited, because the response must not take longer for an existing account.
      recordFailure(operations, user, address, right ? 'disabled' : 'password').catch((error: unknown) =>
        logger.error('a failed sign-in could not be recorded', { error }),
      )
    }
    throw unauthorized('The e-mail address or the password is wrong.')
  }
  await forgive()
  const state = stateAfterPassword(isEnrolled(user))
  const token = newToken()
  const now = clock.now()
  await insertSignIn(database, {
    id: newId('sign_in'),
    user_id: user.id,
    tokenSha256: tokenHash(token),
    state,
    now,
    address,
    device: given.device,
  })
  return { token, state }
}

/** Records a sign-in once nothing is outstanding. */
export async function completeSignIn(
  { clock }: Operations,
  tx: Sql,
  userId: string,
  signInId: string,
  address: string | null,
  by: 'totp' | 'recovery_code' | 'passkey' | 'enrolment',
): Promise<void> {
  const now = clock.now()
  await markSignedIn(tx, userId, now)
  await audit(
    tx,
    clock,
    { type: 'user', id: userId, ip: address },
    { app_id: null, action: 'user.signed_in', target: signInId, details: { by } },
  )
}

export async function recordFailure(
  { database, clock }: Operations,
  user: Pick<User, 'id'>,
  address: string | null,
  reason: 'password' | 'code' | 'passkey' | 'disabled',
): Promise<void> {
  await database.transaction((tx) =>
    audit(
      tx,
      clock,
      { type: 'user', id: user.id, ip: address },
      { app_id: null, action: 'user.sign_in_failed', target: user.id, details: { reason } },
    ),
  )
}
