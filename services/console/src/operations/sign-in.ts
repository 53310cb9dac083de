import { type SignInState, unauthorized } from '@kyc/common'
import { newId, newToken, type Sql } from '@kyc/runtime'
import { stateAfterPassword } from '../domain/sign-in-rule.ts'
import { tokenHash } from '../domain/token-hash.ts'
import { insertSignIn } from '../store/sign-ins.ts'
import { findUserByEmail, markSignedIn, type User } from '../store/users.ts'
import { accountOf, beginAttempt } from './attempts.ts'
import { audit, type Operations } from './context.ts'
import { verifyPassword } from './passwords.ts'

/** A token for the cookie, and what is still outstanding. */
export type SignedIn = { token: string; state: SignInState }

/** E-mail and password. Unknown, disabled and wrong look alike, and take as long. */
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
      // Not waited for: the answer must not take longer for an account that there is.
      recordFailure(operations, user, address, right ? 'disabled' : 'password').catch((error: unknown) =>
        logger.error('a failed sign-in could not be recorded', { error }),
      )
    }
    throw unauthorized('The e-mail address or the password is wrong.')
  }
  await forgive()
  const state = stateAfterPassword({ role: user.role, enrolled: user.totp_secret !== null })
  const token = newToken()
  const now = clock.now()
  await database.transaction(async (tx) => {
    const id = newId('sign_in')
    await insertSignIn(tx, {
      id,
      user_id: user.id,
      tokenSha256: tokenHash(token),
      state,
      now,
      address,
      device: given.device,
    })
    if (state === 'full') await completeSignIn(operations, tx, user.id, id, address, 'password')
  })
  return { token, state }
}

/** What a sign-in leaves behind once nothing is outstanding. */
export async function completeSignIn(
  { clock }: Operations,
  tx: Sql,
  userId: string,
  signInId: string,
  address: string | null,
  by: 'password' | 'totp' | 'recovery_code' | 'enrolment',
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
  reason: 'password' | 'code' | 'disabled',
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
