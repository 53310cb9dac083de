import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  allConsoleEndpoints,
  type ConsoleRole,
  consoleHeaders,
  consoleRoles,
  type Endpoint,
  type SignInState,
} from '@kyc/common'
import { newId, newToken } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import { tokenHash } from '../src/domain/token-hash.ts'
import { csrfTokenOf } from '../src/http/cookie.ts'
import { mayCall } from '../src/permissions/document.ts'
import { consoleSchema, consoleService } from '../src/service.ts'
import { insertApp } from '../src/store/apps.ts'
import { confirmSecret } from '../src/store/second-factors.ts'
import { insertSignIn } from '../src/store/sign-ins.ts'
import { insertUser } from '../src/store/users.ts'
import { answerAsNeighbours, settings } from './neighbours.ts'

let harness: ServiceHarness
let server: Server
let base: string
const appIds = { own: newId('app'), other: newId('app') }
/** Per role: a user who sees every app, one who sees only `own`, and one without a second factor. */
const users = {} as Record<ConsoleRole, { all: string; one: string; unenrolled: string }>

beforeAll(async () => {
  harness = await startService('console', consoleSchema, (deps) => consoleService(deps, settings), {
    before: answerAsNeighbours,
  })
  server = createServer(harness.service.app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { database } = harness
  const now = harness.clock.now()
  for (const app_id of Object.values(appIds)) {
    const look = { logo_url: null, accent: null, retention_days: 365, callback_hosts: null, created_at: now }
    await insertApp(database, { app_id, revision: 1, environment: 'test', name: 'An app', ...look })
  }
  for (const role of consoleRoles) {
    const add = async (app_ids: string[] | null, enrolled = true) => {
      const id = newId('user')
      const email = `${id}@example.com`
      await insertUser(database, { id, email, name: null, role, app_ids, password_hash: 'none', now })
      if (enrolled) await confirmSecret(database, id, Buffer.from('sealed'), 0)
      return id
    }
    users[role] = {
      all: await add(null),
      one: await add([appIds.own]),
      unenrolled: await add(null, false),
    }
  }
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await harness.close()
})

/** A new session for each call, because some calls end their session. */
async function sessionOf(userId: string, state: SignInState = 'full'): Promise<string> {
  const token = newToken()
  await insertSignIn(harness.database, {
    id: newId('sign_in'),
    user_id: userId,
    tokenSha256: tokenHash(token),
    state,
    now: harness.clock.now(),
    address: null,
    device: 'Test',
  })
  return token
}

type Call = { token?: string; csrf?: string | null; app?: string }

/** Returns the status and the headers that direct a page. Does not wait for the rest of a stream. */
async function call(endpoint: Endpoint, { token, csrf, app = appIds.own }: Call) {
  const path = endpoint.path.replace(':app_id', app).replace(/:\w+/g, 'none_1')
  const headers: Record<string, string> = await harness.identity({ type: 'flow', address: '198.51.100.7' })
  if (token) headers.cookie = `kyc_console=${token}`
  if (token && csrf !== null) headers[consoleHeaders.csrf] = csrf ?? csrfTokenOf(token)
  const ending = new AbortController()
  const response = await fetch(`${base}${path}`, {
    method: endpoint.method.toUpperCase(),
    headers,
    signal: ending.signal,
  })
  const answer = {
    status: response.status,
    anew: response.headers.get(consoleHeaders.reauthenticate),
    next: response.headers.get(consoleHeaders.signInState),
  }
  ending.abort()
  return answer
}

/** Any other status means that the call passed authorization, even if the handler then rejects it. */
const refusals = [401, 403]

/** All endpoints that the password alone permits: completing the sign-in, enrolling, signing out, own account. */
const beforeSecondFactor: string[] = [
  'verifySecondFactor',
  'beginPasskeySecondFactor',
  'verifyPasskeySecondFactor',
  'beginEnrolment',
  'confirmEnrolment',
  'beginPasskeyRegistration',
  'addPasskey',
  'signOut',
  'getAccount',
]

const isOfApp = (endpoint: Endpoint) => endpoint.path.includes('/:app_id')
const each = allConsoleEndpoints.map((endpoint) => [endpoint.operationId, endpoint] as const)

describe.each(each)('%s', (_, endpoint) => {
  const { session, reauthenticate } = endpoint.access ?? { session: 'full' as const }

  test.each(consoleRoles)('as %s: follows the permission table', async (role) => {
    const { status, anew, next } = await call(endpoint, { token: await sessionOf(users[role].all) })
    if (mayCall(role, endpoint)) expect(refusals).not.toContain(status)
    else expect([status, anew, next]).toEqual([403, null, null])
  })

  if (session === 'none') {
    test('is open without a sign-in', async () => {
      expect(refusals).not.toContain((await call(endpoint, {})).status)
    })
    return
  }

  test('is closed without a sign-in, with or without a made-up cookie', async () => {
    expect((await call(endpoint, {})).status).toBe(401)
    expect((await call(endpoint, { token: newToken() })).status).toBe(401)
  })

  test.each(consoleRoles)(
    'as %s with the password alone: permits only completing or ending the sign-in',
    async (role) => {
      // User, stored state, outstanding step. `full` without a factor was stored before the requirement.
      const cases = [
        [users[role].unenrolled, 'enrolment', 'enrolment'],
        [users[role].unenrolled, 'full', 'enrolment'],
        [users[role].all, 'second_factor', 'second_factor'],
        [users[role].all, 'enrolment', 'second_factor'],
      ] as const
      for (const [user, stored, outstanding] of cases) {
        const { status, anew, next } = await call(endpoint, { token: await sessionOf(user, stored) })
        if (beforeSecondFactor.includes(endpoint.operationId)) expect(refusals).not.toContain(status)
        else expect([status, anew, next]).toEqual([403, null, outstanding])
      }
    },
  )

  if (endpoint.method !== 'get') {
    test('requires the CSRF token of its session', async () => {
      const token = await sessionOf(users.owner.all)
      expect((await call(endpoint, { token, csrf: null })).status).toBe(403)
      expect((await call(endpoint, { token, csrf: csrfTokenOf(newToken()) })).status).toBe(403)
    })
  }

  if (reauthenticate) {
    test('requires re-authentication after six minutes', async () => {
      const token = await sessionOf(users.owner.all)
      harness.clock.advance({ minutes: 6 })
      expect(await call(endpoint, { token })).toEqual({ status: 403, anew: 'required', next: null })
    })
  }

  if (isOfApp(endpoint)) {
    test.each(consoleRoles)(
      'as %s: responds to an app that the user does not see as to one that does not exist',
      async (role) => {
        const expected = mayCall(role, endpoint) ? 404 : 403
        for (const app of [appIds.other, newId('app'), 'none', '%00']) {
          const token = await sessionOf(users[role].one)
          expect((await call(endpoint, { token, app })).status).toBe(expected)
        }
      },
    )
  }
})
