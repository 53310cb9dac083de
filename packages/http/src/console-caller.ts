import type { ConsoleRole, Endpoint, SignInState } from '@kyc/common'
import type { RequestContext } from './context.ts'

/** A console user, as authenticated by the console's cookie session. */
export type ConsoleUserCaller = {
  type: 'console'
  user_id: string
  /** The current role, not the role at sign-in. */
  role: ConsoleRole
  /** The apps that this user can see; null: all. */
  app_ids: string[] | null
  sign_in_id: string
  state: SignInState
  /** The user entered the password again within the last minutes. */
  reauthenticated: boolean
  /** The app in the path, which this user can see; null when the path has none. */
  app_id: string | null
  address: string | null
  /** The hash of the cookie that identifies the browser; null when it has none. */
  browser: string | null
}

/** A user who is not signed in yet. */
export type ConsoleVisitor = { type: 'visitor'; address: string | null; browser: string | null }

export type ConsoleCaller = ConsoleUserCaller | ConsoleVisitor

export type ConsoleCallerOf<E extends Endpoint> = E extends { access: { session: 'none' } }
  ? ConsoleVisitor
  : E extends { path: `/console/api/apps/:app_id${string}` }
    ? ConsoleUserCaller & { app_id: string }
    : ConsoleUserCaller

/** Authenticates and authorizes the caller of a console endpoint before the rest of the request is read. */
export type ConsoleAuthority = (
  endpoint: Endpoint,
  address: string | null,
  context: RequestContext,
) => Promise<ConsoleCaller>
