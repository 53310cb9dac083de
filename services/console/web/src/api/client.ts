import type { consoleEndpoints } from '@kyc/common'
import type { Answer, PathOf } from '@kyc/web-kit'
import { ApiError, typedFetch } from '@kyc/web-kit'

export type Console = typeof consoleEndpoints
/** The response type of a GET of this path. */
export type Got<P extends PathOf<Console, 'get'>> = Answer<Console, 'get', P>

/** The CSRF token of the latest response that had one; sent with every call that changes something. */
let csrfToken = ''
export const keepCsrfToken = <T extends { csrf_token: string }>(answer: T): T => {
  csrfToken = answer.csrf_token
  return answer
}

type Hooks = { signedOut: () => void; reauthenticate: () => Promise<boolean> }
const hooks: Hooks = { signedOut: () => {}, reauthenticate: () => Promise.resolve(false) }
/** Set by the shell: what to do when the session ended, lacks the second factor, or must re-authenticate. */
export const setHooks = (given: Partial<Hooks>) => Object.assign(hooks, given)

// Here 401 means a wrong credential, not an ended session.
const signInPaths = [
  '/console/api/login',
  '/console/api/login/passkey',
  '/console/api/login/second-factor',
  '/console/api/login/second-factor/passkey',
  '/console/api/links/use',
]

export const api = typedFetch<Console>({
  headers: (method): Record<string, string> => (method === 'get' ? {} : { 'x-csrf-token': csrfToken }),
  recover: (error) =>
    error.status === 403 && error.headers.get('x-reauthenticate') === 'required'
      ? hooks.reauthenticate()
      : Promise.resolve(false),
  onError: (error, path) => {
    const incomplete = error.status === 403 && error.headers.has('x-sign-in-state')
    if (incomplete || (error.status === 401 && !signInPaths.includes(path))) hooks.signedOut()
  },
})

export const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 409
export const isNotFound = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 404
