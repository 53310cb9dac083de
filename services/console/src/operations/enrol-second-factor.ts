import { conflict, unprocessable } from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import { newToken } from '@kyc/runtime'
import { correction, generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import { newRecoveryCodes, normalizeRecoveryCode } from '../domain/recovery-codes.ts'
import { tokenHash } from '../domain/token-hash.ts'
import { matchTotp, newTotpSecret, otpauthUrl } from '../domain/totp.ts'
import { confirmSecret, setPendingSecret, setRecoveryCodes } from '../store/second-factors.ts'
import { endSignIns } from '../store/sign-ins.ts'
import { beginAttempt } from './attempts.ts'
import { actorOf, audit, type Operations } from './context.ts'
import { existingUser, openSecret, raise, sealSecret } from './second-factor.ts'
import { completeSignIn, type SignedIn } from './sign-in.ts'

/** A secret that counts once a code of it was given. The one there is stays until then. */
export async function beginEnrolment(operations: Operations, caller: ConsoleUserCaller) {
  const user = await existingUser(operations.database, caller.user_id)
  const secret = newTotpSecret()
  await setPendingSecret(operations.database, user.id, await sealSecret(operations, secret))
  const url = otpauthUrl(secret, user.email)
  const qr = generate(url, { minCorrectionLevel: correction.M })
  return { secret, otpauth_url: url, qr_svg: toSvgSource(qr) }
}

/** Makes the secret the one that counts; ends every other session. The recovery codes are in this answer only. */
export async function confirmEnrolment(
  operations: Operations,
  caller: ConsoleUserCaller,
  code: string,
): Promise<SignedIn & { recovery_codes: string[] }> {
  const { database, clock } = operations
  const user = await existingUser(database, caller.user_id)
  if (!user.totp_pending) throw conflict('Begin the enrolment first.')
  const forgive = await beginAttempt(operations, {
    kind: 'code',
    account: user.id,
    userId: user.id,
    address: caller.address,
    browser: caller.browser,
  })
  const secret = await openSecret(operations, user.totp_pending)
  const step = matchTotp(secret, code.replace(/\s/g, ''), clock.now(), 0)
  if (step === null) throw unprocessable('The code is wrong; is the clock of the telephone right?')
  const token = newToken()
  const codes = newRecoveryCodes()
  await database.transaction(async (tx) => {
    await confirmSecret(tx, user.id, step)
    await setRecoveryCodes(tx, user.id, codes.map(hashRecoveryCode))
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
  })
  await forgive()
  return { token, state: 'full', recovery_codes: codes }
}

export async function renewRecoveryCodes(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
): Promise<{ recovery_codes: string[] }> {
  const user = await existingUser(database, caller.user_id)
  if (!user.totp_secret) throw conflict('There is no second factor yet.')
  const codes = newRecoveryCodes()
  await database.transaction(async (tx) => {
    await setRecoveryCodes(tx, user.id, codes.map(hashRecoveryCode))
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.recovery_codes_renewed',
      target: user.id,
    })
  })
  return { recovery_codes: codes }
}

const hashRecoveryCode = (code: string): Buffer => tokenHash(normalizeRecoveryCode(code) ?? '')
