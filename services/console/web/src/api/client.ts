import type { consoleEndpoints } from '@kyc/common'
import type { Answer, PathOf } from '@kyc/web-kit'
import { ApiError, typedFetch } from '@kyc/web-kit'

export type Console = typeof consoleEndpoints
/** What a GET of this path answers. */
export type Got<P extends PathOf<Console, 'get'>> = Answer<Console, 'get', P>

/** The last token that an answer held; it goes with every call that changes something. */
let csrfToken = ''
export const keepCsrfToken = <T extends { csrf_token: string }>(answer: T): T => {
  csrfToken = answer.csrf_token
  return answer
}

type Hooks = { signedOut: () => void; reauthenticate: () => Promise<boolean> }
const hooks: Hooks = { signedOut: () => {}, reauthenticate: () => Promise.resolve(false) }
/** The shell tells what to do when the session ended and when the password is asked again. */
export const setHooks = (given: Partial<Hooks>) => Object.assign(hooks, given)

const signInPaths = ['/console/api/login', '/console/api/login/second-factor', '/console/api/links/use']

export const api = typedFetch<Console>({
  headers: (method): Record<string, string> => (method === 'get' ? {} : { 'x-csrf-token': csrfToken }),
  recover: (error) =>
    error.status === 403 && error.headers.get('x-reauthenticate') === 'required'
      ? hooks.reauthenticate()
      : Promise.resolve(false),
  onError: (error, path) => {
    if (error.status === 401 && !signInPaths.includes(path)) hooks.signedOut()
  },
})

export const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 409
export const isNotFound = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 404
