import {
  conflict,
  notFound,
  type PasskeyCreationOptions,
  type PasskeyRegistration,
  type PresentedPasskey,
  toTimestamp,
  unprocessable,
} from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import { newId, newToken } from '@kyc/runtime'
import {
  creationOptions,
  isWithoutCertificates,
  knownTransports,
  maxPasskeys,
  relyingParty,
  signatureAlgorithms,
} from '../domain/passkeys.ts'
import { isEnrolled } from '../domain/sign-in-rule.ts'
import {
  insertPasskey,
  listPasskeys as listStored,
  type Passkey,
  removePasskey as removeStored,
  renamePasskey as renameStored,
} from '../store/passkeys.ts'
import { endSignIns } from '../store/sign-ins.ts'
import { lockUser } from '../store/users.ts'
import { actorOf, audit, type Operations } from './context.ts'
import { issueRecoveryCodes, requireStillMayEnrol } from './enrol-second-factor.ts'
import { issueChallenge, redeemChallenge } from './passkey-challenges.ts'
import { existingUser, raise } from './second-factor.ts'
import { completeSignIn, type SignedIn } from './sign-in.ts'
import { webAuthn } from './web-authn.ts'

const use = (caller: ConsoleUserCaller) => ({ purpose: 'registration', signInId: caller.sign_in_id }) as const

export async function beginPasskeyRegistration(
  operations: Operations,
  caller: ConsoleUserCaller,
): Promise<PasskeyCreationOptions> {
  const user = await existingUser(operations.database, caller.user_id)
  const existing = await listStored(operations.database, user.id)
  requireRoom(existing.length)
  const challenge = await issueChallenge(operations, use(caller), caller)
  return creationOptions(relyingParty(operations.pagesUrl), challenge, user, existing)
}

/** Adds the passkey and ends every other session. The first second factor comes with recovery codes. */
export async function addPasskey(
  operations: Operations,
  caller: ConsoleUserCaller,
  given: { name: string; registration: PasskeyRegistration },
): Promise<SignedIn & { passkey: PresentedPasskey; recovery_codes: string[] | null }> {
  const { database, clock } = operations
  const credential = await verifyRegistration(operations, caller, given.registration)
  if (!credential) throw unprocessable('This passkey could not be registered. Try again.')
  const token = newToken()
  const now = clock.now()
  const passkey: Passkey = {
    id: newId('passkey'),
    user_id: caller.user_id,
    credential_id: credential.credentialId,
    public_key: credential.publicKey,
    transports: knownTransports(given.registration.response.transports ?? []),
    backed_up: credential.backedUp,
    name: given.name,
    created_at: now,
    last_used_at: null,
  }
  const recovery_codes = await database.transaction(async (tx) => {
    const user = await requireStillMayEnrol(tx, caller)
    requireRoom(user.passkeys)
    if (!(await insertPasskey(tx, passkey, credential.signCount))) {
      throw conflict('This passkey is registered already.')
    }
    const codes = isEnrolled(user) ? null : await issueRecoveryCodes(tx, user.id)
    await endSignIns(tx, user.id, now, caller.sign_in_id)
    await raise(tx, operations, caller.sign_in_id, token)
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.passkey_added',
      target: passkey.id,
    })
    if (caller.state === 'enrolment') {
      await completeSignIn(operations, tx, user.id, caller.sign_in_id, caller.address, 'enrolment')
    }
    return codes
  })
  return { token, state: 'full', passkey: presentPasskey(passkey), recovery_codes }
}

export async function listPasskeys({ database }: Operations, caller: ConsoleUserCaller) {
  return { data: (await listStored(database, caller.user_id)).map(presentPasskey) }
}

export async function renamePasskey(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  id: string,
  name: string,
): Promise<PresentedPasskey> {
  return database.transaction(async (tx) => {
    const renamed = await renameStored(tx, caller.user_id, id, name)
    if (!renamed) throw notFound('passkey')
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.passkey_renamed',
      target: id,
    })
    return presentPasskey(renamed)
  })
}

/** Refuses to remove the only second factor. Ends every other session. */
export async function removePasskey(
  { database, clock }: Operations,
  caller: ConsoleUserCaller,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    // Locked, so that of two concurrent removals only one can find another passkey left.
    const user = await lockUser(tx, caller.user_id)
    if (!user || !(await removeStored(tx, user.id, id))) throw notFound('passkey')
    if (!isEnrolled({ ...user, passkeys: user.passkeys - 1 })) {
      throw conflict('This is your only second factor. Add another one before you remove it.')
    }
    await endSignIns(tx, user.id, clock.now(), caller.sign_in_id)
    await audit(tx, clock, actorOf(caller), {
      app_id: null,
      action: 'user.passkey_removed',
      target: id,
    })
  })
}

function requireRoom(count: number): void {
  if (count >= maxPasskeys) {
    throw conflict(`You can have at most ${maxPasskeys} passkeys. Remove one first.`)
  }
}

/** Null unless challenge, origin, RP ID, user verification and attestation are valid. */
async function verifyRegistration(
  operations: Operations,
  caller: ConsoleUserCaller,
  registration: PasskeyRegistration,
) {
  const { clientDataJSON, attestationObject, transports } = registration.response
  const challenge = await redeemChallenge(operations, use(caller), clientDataJSON)
  if (challenge === null) return null
  const party = relyingParty(operations.pagesUrl)
  const { decodeAttestationObject, verifyRegistrationResponse } = await webAuthn()
  try {
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    if (!isWithoutCertificates(attestation)) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...registration,
        response: { clientDataJSON, attestationObject, transports: knownTransports(transports ?? []) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: signatureAlgorithms,
    })
    if (!verified) return null
    const { credential, credentialBackedUp } = registrationInfo
    // The contract limits the length of the announced id; a longer one could be stored and never be given again.
    if (credential.id !== registration.id) return null
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      backedUp: credentialBackedUp,
    }
  } catch (error) {
    // The library throws for any problem with a response; the caller learns only that it was rejected.
    operations.logger.warn('a passkey registration was refused', { user_id: caller.user_id, error })
    return null
  }
}

const presentPasskey = (passkey: Passkey): PresentedPasskey => ({
  id: passkey.id,
  name: passkey.name,
  created_at: toTimestamp(passkey.created_at),
  last_used_at: passkey.last_used_at && toTimestamp(passkey.last_used_at),
  backed_up: passkey.backed_up,
})
