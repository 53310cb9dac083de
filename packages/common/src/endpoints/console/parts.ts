import { z } from 'zod'
import type { ConsoleAction } from '../../domain/console-permissions.ts'
import { pathId } from '../../domain/ids.ts'
import type { ConsoleAccess } from '../define.ts'

/** What all console endpoints have in common. */
export const consoleEndpoint = { service: 'console', caller: 'console' } as const

/** Everything of an app stands below this path. */
export const appPath = '/console/api/apps/:app_id'
export const appParams = z.object({ app_id: pathId })

/** For a person who is fully signed in and whose role allows `action`. */
export const allowed = <const A extends ConsoleAction>(action: A) =>
  ({ session: 'full', action }) as const satisfies ConsoleAccess

/** The same, shortly after the password and second factor were given again. */
export const allowedAnew = <const A extends ConsoleAction>(action: A) =>
  ({ session: 'full', action, reauthenticate: true }) as const satisfies ConsoleAccess

/** For everybody who is fully signed in, about themselves. */
export const oneself = { session: 'full', action: null } as const satisfies ConsoleAccess
export const oneselfAnew = {
  session: 'full',
  action: null,
  reauthenticate: true,
} as const satisfies ConsoleAccess
/** For a person whose password was right. */
export const begun = { session: 'begun', action: null } as const satisfies ConsoleAccess
export const notSignedIn = { session: 'none', action: null } as const satisfies ConsoleAccess

/** The headers by which a console page and its API agree. */
export const consoleHeaders = {
  /** On every call but GET of a signed-in person: the `csrf_token` of the last answer that held one. */
  csrf: 'x-csrf-token',
  /** `required` on a 403 that asks for the password again, and for nothing else. */
  reauthenticate: 'x-reauthenticate',
  /** On a 403 before the sign-in is complete: the step that comes next, `second_factor` or `enrolment`. */
  signInState: 'x-sign-in-state',
} as const
