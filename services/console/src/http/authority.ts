import {
  type ConsoleAccess,
  conflict,
  consoleHeaders,
  type Endpoint,
  forbidden,
  mayDo,
  notFound,
  unauthorized,
} from '@kyc/common'
import type { ConsoleAuthority, ConsoleUserCaller, RequestContext } from '@kyc/http'
import type { Clock, Database } from '@kyc/runtime'
import type { Request } from 'express'
import { isLive, reauthenticatedUntil } from '../domain/sign-in-rule.ts'
import { tokenHash } from '../domain/token-hash.ts'
import { rememberBrowserOf } from '../operations/known-browsers.ts'
import { findApp } from '../store/apps.ts'
import { findSignIn, type SignIn, touchSignIn } from '../store/sign-ins.ts'
import { browserOf, type CookieRule, isCsrfToken, readCookie, writeBrowserCookie } from './cookie.ts'

/** Minimum interval between updates of a session's last use. */
const touchEveryMs = 30_000

const notSignedIn = () => unauthorized('Please sign in.')

/**
 * The only place that turns cookie, CSRF token, role and app into a caller. Checks in this order: origin, session, CSRF,
 * state, role, app, re-authentication. Runs before the rest of the request is read.
 */
export function createAuthority(options: {
  database: Database
  clock: Clock
  cookie: CookieRule
  /** The cookie that makes a browser known (`domain/throttle-rule.ts`). */
  browserCookie: CookieRule
  /** Origins whose pages may call, for browsers that send only `origin`. */
  origins: readonly string[]
}): ConsoleAuthority {
  const { database, clock, cookie } = options

  return async (endpoint, address, context) => {
    const { request } = context
    const access = accessOf(endpoint)
    const changes = endpoint.method !== 'get'
    if (changes && !isSameOrigin(request, options.origins)) {
      logRefusal(context, 'origin')
      throw forbidden('Calls from other origins are refused.')
    }
    const browser = browserOf(request, options.browserCookie)
    if (access.session === 'none') return { type: 'visitor', address, browser }

    const token = readCookie(request, cookie)
    const signIn = token === undefined ? null : await findSignIn(database, tokenHash(token))
    const now = clock.now()
    if (token === undefined || !signIn || signIn.disabled_at || !isLive(signIn, now)) throw notSignedIn()
    if (changes && !isCsrfToken(request.headers[consoleHeaders.csrf], token)) {
      logRefusal(context, 'csrf_token', signIn)
      throw forbidden('The CSRF token is missing or not of this session.')
    }
    // The only place that requires the second factor. The header tells the page which step is outstanding.
    if (access.session === 'full' && signIn.state !== 'full') {
      context.response.setHeader(consoleHeaders.signInState, signIn.state)
      throw forbidden(
        signIn.state === 'enrolment'
          ? 'Set up a second factor first.'
          : 'Please finish signing in with your second factor.',
      )
    }
    if (access.action && !mayDo(signIn.role, access.action)) {
      logRefusal(context, 'role', signIn, { action: access.action })
      throw forbidden()
    }
    const appId = await visibleApp(database, endpoint, request, signIn)
    if (appId === undefined) {
      logRefusal(context, 'app', signIn)
      throw notFound('app')
    }
    const caller = callerOf(signIn, appId, { address, browser }, now)
    if (access.reauthenticate && !caller.reauthenticated) throw reauthenticationRequired(context)
    if (now.getTime() - signIn.last_seen_at.getTime() > touchEveryMs)
      await touchSignIn(database, signIn.id, now)
    // Here, so that it applies to every way of signing in.
    if (signIn.state === 'full' && !signIn.browser_known) {
      const known = await rememberBrowserOf({ database, clock }, signIn, browser)
      if (known !== null) writeBrowserCookie(context.response, options.browserCookie, known)
    }
    return caller
  }
}

/** A console endpoint without an access rule is a programming error and must not be open. */
function accessOf(endpoint: Endpoint): ConsoleAccess {
  if (!endpoint.access) throw new Error(`no access rule: ${endpoint.method} ${endpoint.path}`)
  return endpoint.access
}

function callerOf(
  signIn: SignIn,
  appId: string | null,
  from: Pick<ConsoleUserCaller, 'address' | 'browser'>,
  now: Date,
): ConsoleUserCaller {
  const until = reauthenticatedUntil(signIn.reauthenticated_at)
  return {
    type: 'console',
    user_id: signIn.user_id,
    role: signIn.role,
    app_ids: signIn.app_ids,
    sign_in_id: signIn.id,
    state: signIn.state,
    reauthenticated: signIn.state === 'full' && until !== null && now < until,
    app_id: appId,
    ...from,
  }
}

/** The app in the path, null if the path has none; undefined if it does not exist or the user may not see it. */
async function visibleApp(
  database: Database,
  endpoint: Endpoint,
  request: Request,
  signIn: SignIn,
): Promise<string | null | undefined> {
  if (!endpoint.path.includes('/:app_id')) return null
  const appId = String(request.params.app_id ?? '')
  // The path is not validated yet, and PostgreSQL rejects U+0000.
  const isId = /^[\w-]{1,128}$/.test(appId)
  const visible = isId && (signIn.app_ids === null || signIn.app_ids.includes(appId))
  return visible && (await findApp(database, appId)) ? appId : undefined
}

/** Browsers send the origin of a call and pages cannot forge it. Other clients send none, and have no cookie. */
function isSameOrigin(request: Request, origins: readonly string[]): boolean {
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  return site === undefined ? origin === undefined || origins.includes(origin) : site === 'same-origin'
}

/** Logged because forged or unauthorised requests indicate an attack or a wrong role. */
function logRefusal(context: RequestContext, reason: string, signIn?: SignIn, fields = {}): void {
  context.logger.warn('refused a console request', { reason, user_id: signIn?.user_id, ...fields })
}

/**
 * Only a user without a second factor, or one who has re-authenticated, may add a factor. The password alone must not
 * suffice to add another one.
 */
export function requireMayEnrol(context: RequestContext & { caller: ConsoleUserCaller }): void {
  const { caller } = context
  if (caller.state === 'second_factor') throw conflict('Finish signing in with your second factor first.')
  if (caller.state === 'full' && !caller.reauthenticated) throw reauthenticationRequired(context)
}

/** 403 with the header that makes the page ask for re-authentication. */
function reauthenticationRequired(context: RequestContext) {
  context.response.setHeader(consoleHeaders.reauthenticate, 'required')
  return forbidden('Please confirm that it is you first.')
}
