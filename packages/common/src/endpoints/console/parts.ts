import { z } from 'zod'
import type { ConsoleAction } from '../../domain/console-permissions.ts'
import { pathId } from '../../domain/ids.ts'
import type { ConsoleAccess } from '../define.ts'

/** The fields that all console endpoints have in common. */
export const consoleEndpoint = { service: 'console', caller: 'console' } as const

/** The prefix of every path of an app. */
export const appPath = '/console/api/apps/:app_id'
export const appParams = z.object({ app_id: pathId })

/** Access for a fully signed-in user whose role allows `action`. */
export const allowed = <const A extends ConsoleAction>(action: A) =>
  ({ session: 'full', action }) as const satisfies ConsoleAccess

/** The same, but only shortly after reauthentication with password and second factor. */
export const allowedAnew = <const A extends ConsoleAction>(action: A) =>
  ({ session: 'full', action, reauthenticate: true }) as const satisfies ConsoleAccess

/** Access for every fully signed-in user to their own data. */
export const oneself = { session: 'full', action: null } as const satisfies ConsoleAccess
export const oneselfAnew = {
  session: 'full',
  action: null,
  reauthenticate: true,
} as const satisfies ConsoleAccess
/** Access for a user whose password was correct. */
export const begun = { session: 'begun', action: null } as const satisfies ConsoleAccess
export const notSignedIn = { session: 'none', action: null } as const satisfies ConsoleAccess

/** The headers of the protocol between the console's pages and its API. */
export const consoleHeaders = {
  /** Required on every request of a signed-in user except GET: the most recent `csrf_token` from a response. */
  csrf: 'x-csrf-token',
  /** `required` on a 403 that can be resolved by entering the password again, and on no other. */
  reauthenticate: 'x-reauthenticate',
  /** On a 403 before the sign-in is complete: the next step, `second_factor` or `enrolment`. */
  signInState: 'x-sign-in-state',
} as const
