import { conflict, unauthorized, unprocessable } from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import { newToken, type Sql } from '@kyc/runtime'
import { correction, generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import { newRecoveryCodes, normalizeRecoveryCode } from '../domain/recovery-codes.ts'
import { isEnrolled } from '../domain/sign-in-rule.ts'
import { tokenHash } from '../domain/token-hash.ts'
import { matchTotp, newTotpSecret, otpauthUrl } from '../domain/totp.ts'
import { confirmSecret, setPendingSecret, setRecoveryCodes } from '../store/second-factors.ts'
import { endSignIns } from '../store/sign-ins.ts'
import { lockUser, type User } from '../store/users.ts'
import { beginAttempt } from './attempts.ts'
import { actorOf, audit, type Operations } from './context.ts'
import { existingUser, incorrectCode, openSecret, raise, sealSecret } from './second-factor.ts'
import { completeSignIn, type SignedIn } from './sign-in.ts'

/** Creates a secret that takes effect once a code from it is confirmed. Until then the current one stays valid. */
export async function beginEnrolment(operations: Operations, caller: ConsoleUserCaller) {
  const user = await existingUser(operations.database, caller.user_id)
  const secret = newTotpSecret()
  await setPendingSecret(operations.database, user.id, await sealSecret(operations, secret))
  const url = otpauthUrl(secret, user.email)
  const qr = generate(url, { minCorrectionLevel: correction.M })
  return { secret, otpauth_url: url, qr_svg: toSvgSource(qr) }
}

/** Activates the secret and ends every other session. The recovery codes are in this response only. */
export async function confirmEnrolment(
  operations: Operations,
  caller: ConsoleUserCaller,
  code: string,
): Promise<SignedIn & { recovery_codes: string[] }> {
  const { database, clock } = operations
  const user = await existingUser(database, caller.user_id)
  const pending = user.totp_pending
  if (!pending) throw conflict('Begin the enrolment first.')
  const forgive = await beginAttempt(operations, {
    kind: 'code',
    account: user.id,
    userId: user.id,
    address: caller.address,
    browser: caller.browser,
  })
  const secret = await openSecret(operations, pending)
  const step = matchTotp(secret, code.replace(/\s/g, ''), clock.now(), 0)
  if (step === null) throw unprocessable(incorrectCode)
  const token = newToken()
  const codes = await database.transaction(async (tx) => {
    await requireStillMayEnrol(tx, caller)
    await confirmSecret(tx, user.id, pending, step)
    const codes = await issueRecoveryCodes(tx, user.id)
    await endSignIns(tx, user.id, clock.now(), caller.sign_in_id)
    await raise(tx, operations, caller.sign_in_id, token)
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.second_factor_enrolled',
      target: user.id,
    })
    if (caller.state === 'enrolment') {
      await completeSignIn(operations, tx, user.id, caller.sign_in_id, caller.address, 'enrolment')
    }
    return codes
  })
  await forgive()
  return { token, state: 'full', recovery_codes: codes }
}

export async function renewRecoveryCodes(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
): Promise<{ recovery_codes: string[] }> {
  return database.transaction(async (tx) => {
    const recovery_codes = await issueRecoveryCodes(tx, caller.user_id)
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.recovery_codes_renewed',
      target: caller.user_id,
    })
    return { recovery_codes }
  })
}

/** Replaces the existing codes. They are shown once. */
export async function issueRecoveryCodes(tx: Sql, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await setRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
  return codes
}

/**
 * Locks the user. Rejects a session that gave only the password if another session has enrolled a factor since, because
 * someone who knows only the password must not add a factor.
 */
export async function requireStillMayEnrol(tx: Sql, caller: ConsoleUserCaller): Promise<User> {
  const user = await lockUser(tx, caller.user_id)
  if (!user || (caller.state !== 'full' && isEnrolled(user))) throw unauthorized('Please sign in.')
  return user
}

const hashRecoveryCode = (code: string): Buffer => tokenHash(normalizeRecoveryCode(code) ?? '')
