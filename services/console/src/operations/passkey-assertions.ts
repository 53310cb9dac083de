import {
  conflict,
  type PasskeyAssertion,
  type PasskeyRequestOptions,
  unauthorized,
  unprocessable,
} from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import { newId, newToken, type Sql, sha256Hex } from '@kyc/runtime'
import { knownTransports, relyingParty, requestOptions, userIdOf } from '../domain/passkeys.ts'
import { tokenHash } from '../domain/token-hash.ts'
import type { ChallengeUse } from '../store/passkey-challenges.ts'
import { findPasskey, listPasskeys, type Passkey, recordPasskeyUse } from '../store/passkeys.ts'
import { insertSignIn } from '../store/sign-ins.ts'
import { findUser } from '../store/users.ts'
import { beginAttempt } from './attempts.ts'
import { actorOf, audit, type Operations, record } from './context.ts'
import { issueChallenge, redeemChallenge } from './passkey-challenges.ts'
import { raise } from './second-factor.ts'
import { completeSignIn, recordFailure, type SignedIn } from './sign-in.ts'
import { webAuthn } from './web-authn.ts'

const refused = 'This passkey was not accepted. Try again, or use another way to sign in.'

/** Options without credentials, so that the browser offers all passkeys of this site. */
export async function beginPasskeySignIn(
  operations: Operations,
  origin: { address: string | null; browser: string | null },
): Promise<PasskeyRequestOptions> {
  const challenge = await issueChallenge(operations, { purpose: 'sign_in', signInId: null }, origin)
  return requestOptions(relyingParty(operations.pagesUrl), challenge, [])
}

/** Options that permit only the caller's passkeys. */
export async function beginPasskeyUse(
  operations: Operations,
  caller: ConsoleUserCaller,
  purpose: 'second_factor' | 'reauthentication',
): Promise<PasskeyRequestOptions> {
  if (purpose === 'second_factor') requireOutstanding(caller)
  const passkeys = await listPasskeys(operations.database, caller.user_id)
  if (passkeys.length === 0) throw conflict('This account has no passkey.')
  const use = { purpose, signInId: caller.sign_in_id }
  const challenge = await issueChallenge(operations, use, caller)
  return requestOptions(relyingParty(operations.pagesUrl), challenge, passkeys)
}

/** Signs in with a discoverable passkey alone: possession of the device, and user verification by it. */
export async function signInWithPasskey(
  operations: Operations,
  given: { assertion: PasskeyAssertion; address: string | null; browser: string | null; device: string },
): Promise<SignedIn> {
  const { database, clock, logger } = operations
  const { assertion, address } = given
  const credentialId = Buffer.from(assertion.id, 'base64url')
  const passkey = await findPasskey(database, credentialId)
  const user = passkey && (await findUser(database, passkey.user_id))
  const forgive = await beginAttempt(operations, {
    kind: 'code',
    account: user?.id ?? `none:${sha256Hex(credentialId).slice(0, 32)}`,
    userId: user?.id ?? null,
    address,
    browser: given.browser,
  })
  const verified = await verifyAssertion(
    operations,
    { purpose: 'sign_in', signInId: null },
    passkey,
    assertion,
  )
  if (!passkey || !user || !verified || userIdOf(assertion.response.userHandle) !== user.id) {
    logger.warn('a sign-in by passkey failed', { user_id: user?.id ?? null })
    if (user) await recordFailure(operations, user, address, 'passkey')
    throw unauthorized(refused)
  }
  if (user.disabled_at) {
    await recordFailure(operations, user, address, 'disabled')
    throw unauthorized(refused)
  }
  const token = newToken()
  const done = await database.transaction(async (tx) => {
    if (!(await usePasskey(operations, tx, passkey, verified))) return false
    const id = newId('sign_in')
    await insertSignIn(tx, {
      id,
      user_id: user.id,
      tokenSha256: tokenHash(token),
      state: 'full',
      now: clock.now(),
      address,
      device: given.device,
    })
    await completeSignIn(operations, tx, user.id, id, address, 'passkey')
    return true
  })
  if (!done) await refuseCounter(operations, passkey, address, unauthorized(refused))
  await forgive()
  return { token, state: 'full' }
}

/** Completes a sign-in whose password was correct. The cookie gets a new token. */
export async function verifyPasskeySecondFactor(
  operations: Operations,
  caller: ConsoleUserCaller,
  assertion: PasskeyAssertion,
): Promise<SignedIn> {
  requireOutstanding(caller)
  return giveAgain(operations, caller, assertion, {
    purpose: 'second_factor',
    refusal: unauthorized(refused),
    effect: (tx) =>
      completeSignIn(operations, tx, caller.user_id, caller.sign_in_id, caller.address, 'passkey'),
  })
}

/** Accepts a passkey with user verification in place of password and code. */
export const reauthenticateWithPasskey = (
  operations: Operations,
  caller: ConsoleUserCaller,
  assertion: PasskeyAssertion,
): Promise<SignedIn> =>
  giveAgain(operations, caller, assertion, {
    purpose: 'reauthentication',
    refusal: unprocessable('This passkey was not accepted. Try again, or use your password and a code.'),
    effect: async (tx) => {
      await audit(tx, operations.clock, actorOf(caller), {
        app_id: null,
        action: 'user.reauthenticated',
        target: caller.sign_in_id,
        details: { by: 'passkey' },
      })
    },
  })

/** Verifies one of the caller's own passkeys within their session. */
async function giveAgain(
  operations: Operations,
  caller: ConsoleUserCaller,
  assertion: PasskeyAssertion,
  act: {
    purpose: 'second_factor' | 'reauthentication'
    refusal: Error
    effect: (tx: Sql) => Promise<void>
  },
): Promise<SignedIn> {
  const { database } = operations
  const forgive = await beginAttempt(operations, {
    kind: 'code',
    account: caller.user_id,
    userId: caller.user_id,
    address: caller.address,
    browser: caller.browser,
  })
  const found = await findPasskey(database, Buffer.from(assertion.id, 'base64url'))
  const passkey = found?.user_id === caller.user_id ? found : null
  const use = { purpose: act.purpose, signInId: caller.sign_in_id }
  const verified = await verifyAssertion(operations, use, passkey, assertion)
  if (!passkey || !verified) {
    await recordFailure(operations, { id: caller.user_id }, caller.address, 'passkey')
    throw act.refusal
  }
  const token = newToken()
  const done = await database.transaction(async (tx) => {
    if (!(await usePasskey(operations, tx, passkey, verified))) return false
    await raise(tx, operations, caller.sign_in_id, token)
    await act.effect(tx)
    return true
  })
  if (!done) await refuseCounter(operations, passkey, caller.address, act.refusal)
  await forgive()
  return { token, state: 'full' }
}

function requireOutstanding(caller: ConsoleUserCaller): void {
  if (caller.state !== 'second_factor') throw conflict('No second factor is outstanding.')
}

type Verified = { signCount: number; backedUp: boolean }

/** Null unless challenge, origin, RP ID, user verification and signature are valid. The counter is checked on use. */
async function verifyAssertion(
  operations: Operations,
  use: ChallengeUse,
  passkey: Passkey | null,
  assertion: PasskeyAssertion,
): Promise<Verified | null> {
  const challenge = await redeemChallenge(operations, use, assertion.response.clientDataJSON)
  if (challenge === null || !passkey) return null
  const party = relyingParty(operations.pagesUrl)
  const { verifyAuthenticationResponse } = await webAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: new Uint8Array(passkey.public_key),
        // 0 disables the library's check; recordPasskeyUse compares and sets the counter in one statement.
        counter: 0,
        transports: knownTransports(passkey.transports),
      },
    })
    if (!verified) return null
    return { signCount: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch (error) {
    // The library throws for any problem with a response; the caller learns only that it was rejected.
    operations.logger.warn('a passkey response was refused', { user_id: passkey.user_id, error })
    return null
  }
}

const usePasskey = ({ clock }: Operations, tx: Sql, passkey: Passkey, { signCount, backedUp }: Verified) =>
  recordPasskeyUse(tx, passkey.id, { signCount, backedUp, now: clock.now() })

/** The counter did not advance, so two devices may have the same key. A passkey removed since is only rejected. */
async function refuseCounter(
  operations: Operations,
  passkey: Passkey,
  address: string | null,
  refusal: Error,
): Promise<never> {
  const { database, logger } = operations
  if (await findPasskey(database, passkey.credential_id)) {
    logger.warn('the counter of a passkey did not advance', { user_id: passkey.user_id })
    await record(
      operations,
      { type: 'user', id: passkey.user_id, ip: address },
      { app_id: null, action: 'user.passkey_clone_suspected', target: passkey.id },
    )
  }
  throw refusal
}
