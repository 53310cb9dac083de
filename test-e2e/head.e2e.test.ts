import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { allConsoleEndpoints, allEndpoints, type CreatedSession, type Endpoint } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { apiClient } from './support/api.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

let system: TestSystem
let session: CreatedSession

beforeAll(async () => {
  system = await startTestSystem({ SANCTIONS_DIR: '' })
  session = (await apiClient(system.url, system.app.api_key).post<CreatedSession>('/v1/sessions', {})).body
})
afterAll(() => system.close())

/** Differ between any two responses. */
const varying = ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', /^ratelimit-/]
const comparable = (headers: Headers) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !varying.some((each) => (typeof each === 'string' ? each === name : each.test(name))),
    ),
  )

type Named = Endpoint & { operationId: string }
const gets = ([...allEndpoints, ...allConsoleEndpoints] as readonly Named[])
  .filter(({ method, long_poll }) => method === 'get' && !long_poll)
  .map(({ operationId, path }) => [operationId, path] as const)
const pages = ['/docs', '/docs/assets/docs.css', '/console', '/console/login', '/nothing', '/health?a=1'].map(
  (path) => [path, path] as const,
)

test.each([...gets, ...pages])('HEAD of %s gets the response of GET without the body', async (_, path) => {
  const filled = path.replace(/:(\w+)/g, (_match, name: string) =>
    name === 'session_id' ? session.session_id : name === 'token' ? session.session_token : newId('app'),
  )
  const ask = async (method: string) => {
    const headers = { 'x-api-key': system.app.api_key, 'accept-encoding': 'identity' }
    const answer = await fetch(`${system.url}${filled}`, { method, headers })
    return { answer, body: await answer.text() }
  }
  const [get, head] = [await ask('GET'), await ask('HEAD')]
  expect(head.answer.status).toBe(get.answer.status)
  expect(head.body).toBe('')
  expect(comparable(head.answer.headers)).toEqual(comparable(get.answer.headers))
})
