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
import { insertSignIn } from '../src/store/sign-ins.ts'
import { insertUser } from '../src/store/users.ts'
import { answerAsNeighbours, settings } from './neighbours.ts'

let harness: ServiceHarness
let server: Server
let base: string
const appIds = { own: newId('app'), other: newId('app') }
/** By role: one who sees every app, one who sees `own` only. */
const users = {} as Record<ConsoleRole, { all: string; one: string }>

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
    const add = async (app_ids: string[] | null) => {
      const id = newId('user')
      const email = `${id}@example.com`
      await insertUser(database, { id, email, name: null, role, app_ids, password_hash: 'none', now })
      return id
    }
    users[role] = { all: await add(null), one: await add([appIds.own]) }
  }
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await harness.close()
})

/** A session for one call: some of the calls end theirs. */
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

/** Status and re-authentication header; what a stream would go on with is not waited for. */
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
  const answer = { status: response.status, anew: response.headers.get(consoleHeaders.reauthenticate) }
  ending.abort()
  return answer
}

/** Let in: whatever the handler then says of an empty request about objects that do not exist. */
const refusals = [401, 403]

const isOfApp = (endpoint: Endpoint) => endpoint.path.includes('/:app_id')
const each = allConsoleEndpoints.map((endpoint) => [endpoint.operationId, endpoint] as const)

describe.each(each)('%s', (_, endpoint) => {
  const { session, reauthenticate } = endpoint.access ?? { session: 'full' as const }

  test.each(consoleRoles)('as %s: as the permission table says', async (role) => {
    const { status, anew } = await call(endpoint, { token: await sessionOf(users[role].all) })
    if (mayCall(role, endpoint)) expect(refusals).not.toContain(status)
    else expect([status, anew]).toEqual([403, null])
  })

  if (session === 'none') {
    test('is open to somebody who has not signed in', async () => {
      expect(refusals).not.toContain((await call(endpoint, {})).status)
    })
    return
  }

  test('is closed to somebody who has not signed in, with or without a made-up cookie', async () => {
    expect((await call(endpoint, {})).status).toBe(401)
    expect((await call(endpoint, { token: newToken() })).status).toBe(401)
  })

  test.each(['second_factor', 'enrolment'] as const)('at the step %s', async (state) => {
    const { status } = await call(endpoint, { token: await sessionOf(users.owner.all, state) })
    if (session === 'begun') expect(refusals).not.toContain(status)
    else expect(status).toBe(401)
  })

  if (endpoint.method !== 'get') {
    test('needs the CSRF token of its session', async () => {
      const token = await sessionOf(users.owner.all)
      expect((await call(endpoint, { token, csrf: null })).status).toBe(403)
      expect((await call(endpoint, { token, csrf: csrfTokenOf(newToken()) })).status).toBe(403)
    })
  }

  if (reauthenticate) {
    test('asks for the password again after a while', async () => {
      const token = await sessionOf(users.owner.all)
      harness.clock.advance({ minutes: 6 })
      expect(await call(endpoint, { token })).toEqual({ status: 403, anew: 'required' })
    })
  }

  if (isOfApp(endpoint)) {
    test.each(consoleRoles)(
      'as %s: an app they do not see is as unknown as one there is not',
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
