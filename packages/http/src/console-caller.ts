import type { ConsoleRole, Endpoint, SignInState } from '@kyc/common'
import type { RequestContext } from './context.ts'

/** A console user, as the console's cookie session established them. */
export type ConsoleUserCaller = {
  type: 'console'
  user_id: string
  /** As it is now, not as it was at login. */
  role: ConsoleRole
  /** The apps this person sees; null: all. */
  app_ids: string[] | null
  sign_in_id: string
  state: SignInState
  /** The password was given again within the last minutes. */
  reauthenticated: boolean
  /** The app of the path, which this person may see; null where the path names none. */
  app_id: string | null
  address: string | null
  /** The hash of the cookie by which the browser is known; null when it has none. */
  browser: string | null
}

/** Somebody who has not signed in yet. */
export type ConsoleVisitor = { type: 'visitor'; address: string | null; browser: string | null }

export type ConsoleCaller = ConsoleUserCaller | ConsoleVisitor

export type ConsoleCallerOf<E extends Endpoint> = E extends { access: { session: 'none' } }
  ? ConsoleVisitor
  : E extends { path: `/console/api/apps/:app_id${string}` }
    ? ConsoleUserCaller & { app_id: string }
    : ConsoleUserCaller

/** Decides who calls a console endpoint and whether they may, before anything else of the request is read. */
export type ConsoleAuthority = (
  endpoint: Endpoint,
  address: string | null,
  context: RequestContext,
) => Promise<ConsoleCaller>
