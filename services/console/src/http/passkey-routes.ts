import { consolePasskeyEndpoints } from '@kyc/common'
import { type CallContext, type Handlers, type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import { describeDevice } from '../domain/device.ts'
import type { Operations } from '../operations/context.ts'
import {
  addPasskey,
  beginPasskeyRegistration,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from '../operations/manage-passkeys.ts'
import {
  beginPasskeySignIn,
  beginPasskeyUse,
  reauthenticateWithPasskey,
  signInWithPasskey,
  verifyPasskeySecondFactor,
} from '../operations/passkey-assertions.ts'
import type { SignedIn } from '../operations/sign-in.ts'
import { requireMayEnrol } from './authority.ts'
import { type CookieRule, sendToken } from './cookie.ts'

/** Sign-in with passkeys, and management of a user's own passkeys. */
export function mountPasskeys(
  router: Router,
  operations: Operations,
  options: MountOptions & { cookie: CookieRule },
): void {
  const { cookie } = options
  const progress = (signedIn: SignedIn, { response }: Pick<CallContext, 'response'>) =>
    sendToken(response, cookie, signedIn)
  const handlers: Handlers<typeof consolePasskeyEndpoints> = {
    beginPasskeySignIn: (_input, { caller }) => beginPasskeySignIn(operations, caller),
    signInWithPasskey: async ({ body }, context) => {
      const device = describeDevice(context.request.headers['user-agent'])
      const { address, browser } = context.caller
      return progress(await signInWithPasskey(operations, { ...body, address, browser, device }), context)
    },
    beginPasskeySecondFactor: (_input, { caller }) => beginPasskeyUse(operations, caller, 'second_factor'),
    verifyPasskeySecondFactor: async ({ body }, context) =>
      progress(await verifyPasskeySecondFactor(operations, context.caller, body.assertion), context),
    beginPasskeyReauthentication: (_input, { caller }) =>
      beginPasskeyUse(operations, caller, 'reauthentication'),
    reauthenticateWithPasskey: async ({ body }, context) =>
      progress(await reauthenticateWithPasskey(operations, context.caller, body.assertion), context),
    beginPasskeyRegistration: async (_input, context) => {
      requireMayEnrol(context)
      return beginPasskeyRegistration(operations, context.caller)
    },
    addPasskey: async ({ body }, context) => {
      requireMayEnrol(context)
      const { passkey, recovery_codes, ...signedIn } = await addPasskey(operations, context.caller, body)
      return { ...progress(signedIn, context), passkey, recovery_codes }
    },
    listPasskeys: (_input, { caller }) => listPasskeys(operations, caller),
    renamePasskey: ({ params, body }, { caller }) =>
      renamePasskey(operations, caller, params.passkey_id, body.name),
    removePasskey: ({ params }, { caller }) => removePasskey(operations, caller, params.passkey_id),
  }
  mount(router, consolePasskeyEndpoints, handlers, options)
}
