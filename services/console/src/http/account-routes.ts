import { consoleAccountEndpoints, notFound } from '@kyc/common'
import { type CallContext, type Handlers, type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import { describeDevice } from '../domain/device.ts'
import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  getAccount,
  listOwnSessions,
  signOut,
} from '../operations/account.ts'
import type { Operations } from '../operations/context.ts'
import { beginEnrolment, confirmEnrolment, renewRecoveryCodes } from '../operations/enrol-second-factor.ts'
import { openLink, requestPasswordReset, useLink } from '../operations/links.ts'
import { reauthenticate, verifySecondFactor } from '../operations/second-factor.ts'
import { type SignedIn, signIn } from '../operations/sign-in.ts'
import { requireMayEnrol } from './authority.ts'
import {
  type CookieRule,
  clearCookie,
  csrfTokenOf,
  readCookie,
  sendToken,
  writeBrowserCookie,
} from './cookie.ts'

/** Sign-in, sign-out and a user's own account. */
export function mountAccount(
  router: Router,
  operations: Operations,
  options: MountOptions & { cookie: CookieRule; browserCookie: CookieRule },
): void {
  const { cookie } = options
  const progress = (signedIn: SignedIn, { response }: Pick<CallContext, 'response'>) =>
    sendToken(response, cookie, signedIn)
  const handlers: Handlers<typeof consoleAccountEndpoints> = {
    signIn: async ({ body }, context) => {
      const device = describeDevice(context.request.headers['user-agent'])
      const { address, browser } = context.caller
      return progress(await signIn(operations, { ...body, address, browser, device }), context)
    },
    verifySecondFactor: async ({ body }, context) =>
      progress(await verifySecondFactor(operations, context.caller, body.code), context),
    signOut: async (_input, context) => {
      await signOut(operations, context.caller)
      clearCookie(context.response, cookie)
      context.response.setHeader('clear-site-data', '"cache", "storage"')
    },
    getAccount: async (_input, context) => ({
      ...(await getAccount(operations, context.caller)),
      csrf_token: csrfTokenOf(readCookie(context.request, cookie) ?? ''),
    }),
    beginEnrolment: async (_input, context) => {
      requireMayEnrol(context)
      return beginEnrolment(operations, context.caller)
    },
    confirmEnrolment: async ({ body }, context) => {
      requireMayEnrol(context)
      const { recovery_codes, ...signedIn } = await confirmEnrolment(operations, context.caller, body.code)
      return { ...progress(signedIn, context), recovery_codes }
    },
    renewRecoveryCodes: (_input, { caller }) => renewRecoveryCodes(operations, caller),
    reauthenticate: async ({ body }, context) =>
      progress(await reauthenticate(operations, context.caller, body), context),
    changePassword: async ({ body }, context) =>
      progress(await changePassword(operations, context.caller, body), context),
    listOwnSessions: (_input, { caller }) => listOwnSessions(operations, caller),
    endOwnSession: async ({ params }, { caller }) => {
      if (!(await endOwnSession(operations, caller, params.sign_in_id))) throw notFound('session')
    },
    endOtherSessions: (_input, { caller }) => endOtherSessions(operations, caller),
    requestPasswordReset: ({ body }, { caller }) =>
      requestPasswordReset(operations, { ...body, address: caller.address, browser: caller.browser }),
    openLink: ({ body }) => openLink(operations, body.token),
    useLink: async ({ body }, { caller: { address, browser }, response }) => {
      const known = await useLink(operations, { ...body, address, browser })
      writeBrowserCookie(response, options.browserCookie, known)
    },
  }
  mount(router, consoleAccountEndpoints, handlers, options)
}
