import { conflict, unauthorized, unprocessable } from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import { newToken, type Sql } from '@kyc/runtime'
import { normalizeRecoveryCode } from '../domain/recovery-codes.ts'
import { tokenHash } from '../domain/token-hash.ts'
import { matchTotp } from '../domain/totp.ts'
import { useRecoveryCode, useStep } from '../store/second-factors.ts'
import { raiseSignIn } from '../store/sign-ins.ts'
import { findUser, type User } from '../store/users.ts'
import { beginAttempt } from './attempts.ts'
import { actorOf, audit, type Operations } from './context.ts'
import { verifyPassword } from './passwords.ts'
import { completeSignIn, recordFailure, type SignedIn } from './sign-in.ts'

/** The vault scope to which the secrets of console users are bound. */
const vaultScope = 'console'
const secretContext = 'console.totp'

export const sealSecret = ({ vault }: Operations, secret: string): Promise<Buffer> =>
  vault.sealForApp(vaultScope, secretContext, secret)

export async function openSecret({ vault }: Operations, sealed: Buffer): Promise<string> {
  return String(await vault.openForApp(vaultScope, secretContext, sealed))
}

export const incorrectCode = "Incorrect code. Check that your phone's clock is set automatically."

/** Completes a sign-in whose password was correct. The cookie gets a new token. */
export async function verifySecondFactor(
  operations: Operations,
  caller: ConsoleUserCaller,
  code: string,
): Promise<SignedIn> {
  const { database } = operations
  if (caller.state !== 'second_factor') throw conflict('No second factor is outstanding.')
  const user = await existingUser(database, caller.user_id)
  const forgive = await beginAttempt(operations, {
    kind: 'code',
    account: user.id,
    userId: user.id,
    address: caller.address,
    browser: caller.browser,
  })
  const token = newToken()
  const by = await database.transaction(async (tx) => {
    const used = await useCode(operations, tx, user, code)
    if (!used) return null
    await raise(tx, operations, caller.sign_in_id, token)
    await completeSignIn(operations, tx, user.id, caller.sign_in_id, caller.address, used)
    return used
  })
  if (!by) {
    await recordFailure(operations, user, caller.address, 'code')
    throw unauthorized(incorrectCode)
  }
  await forgive()
  return { token, state: 'full' }
}

/** Verifies password and code again, and permits the actions that require it. */
export async function reauthenticate(
  operations: Operations,
  caller: ConsoleUserCaller,
  given: { password: string; code: string },
): Promise<SignedIn> {
  const { database, clock } = operations
  const user = await existingUser(database, caller.user_id)
  const forgive = await beginAttempt(operations, {
    kind: 'password',
    account: user.id,
    userId: user.id,
    address: caller.address,
    browser: caller.browser,
  })
  const token = newToken()
  const right = await verifyPassword(user.password_hash, given.password)
  const done =
    right &&
    (await database.transaction(async (tx) => {
      if (!(await useCode(operations, tx, user, given.code))) return false
      await raise(tx, operations, caller.sign_in_id, token)
      await audit(tx, clock, actorOf(caller), {
        app_id: null,
        action: 'user.reauthenticated',
        target: caller.sign_in_id,
      })
      return true
    }))
  if (!done) {
    await recordFailure(operations, user, caller.address, right ? 'code' : 'password')
    throw unprocessable('Incorrect password or code.')
  }
  await forgive()
  return { token, state: 'full' }
}

export async function raise(tx: Sql, { clock }: Operations, signInId: string, token: string): Promise<void> {
  const change = { state: 'full', reauthenticated: true, now: clock.now() } as const
  if (!(await raiseSignIn(tx, signInId, tokenHash(token), change))) throw unauthorized('Please sign in.')
}

export async function existingUser(sql: Sql, id: string): Promise<User> {
  const user = await findUser(sql, id)
  if (!user) throw unauthorized('Please sign in.')
  return user
}

/** Uses up a code from the app or one of the recovery codes. Null if it is wrong or was used before. */
async function useCode(
  operations: Operations,
  tx: Sql,
  user: User,
  code: string,
): Promise<'totp' | 'recovery_code' | null> {
  const now = operations.clock.now()
  const digits = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    if (!user.totp_secret) return null
    const secret = await openSecret(operations, user.totp_secret)
    const step = matchTotp(secret, digits, now, user.totp_last_step)
    return step !== null && (await useStep(tx, user.id, step)) ? 'totp' : null
  }
  const recovery = normalizeRecoveryCode(code)
  return recovery && (await useRecoveryCode(tx, user.id, tokenHash(recovery), now)) ? 'recovery_code' : null
}
