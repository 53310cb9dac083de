import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { setUpApp } from '@kyc/common'
import { createLogger, newId } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import { consoleSchema, consoleService } from '../src/service.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol } from './console-client.ts'
import { answerAsNeighbours, settings } from './neighbours.ts'

let harness: ServiceHarness
let owner: ConsoleClient
let reviewer: ConsoleClient
let logged: Record<string, unknown>[] = []

beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const logger = createLogger({ service: 'console', stream })
  harness = await startService(
    'console',
    consoleSchema,
    (deps) => consoleService({ ...deps, logger }, settings),
    {
      before: answerAsNeighbours,
    },
  )
  const app = {
    name: 'Example',
    environment: 'test',
    webhook_url: null,
    owner_email: 'owner@example.com',
  } as const
  const made = await harness.bus.request(setUpApp, app)
  owner = consoleClient(harness)
  await signInAndEnrol(harness, owner, made.owner?.email ?? '', made.owner?.password ?? '')
  const invited = await owner.post('/users/invitations', { email: 'reviewer@example.com', role: 'reviewer' })
  reviewer = consoleClient(harness)
  const password = 'a long enough phrase of words'
  await reviewer.post('/links/use', { token: (invited.body.link as string).split('#')[1], password })
  await signInAndEnrol(harness, reviewer, 'reviewer@example.com', password)
})
afterAll(() => harness.close())

const invitation = { email: 'x@example.com', role: 'reviewer' }
const invite = (client: ConsoleClient, headers: Record<string, string>) =>
  client.call('post', '/console/api/users/invitations', invitation, headers)

test.each<[string, number, () => Promise<{ status: number }>, object]>([
  [
    'a role too low',
    403,
    () => reviewer.post('/users/invitations', invitation),
    { reason: 'role', action: expect.any(String) },
  ],
  ['a wrong CSRF token', 403, () => invite(owner, { 'x-csrf-token': 'forged' }), { reason: 'csrf_token' }],
  ['another origin', 403, () => invite(owner, { 'sec-fetch-site': 'cross-site' }), { reason: 'origin' }],
  ['an app the user does not see', 404, () => owner.get(`/apps/${newId('app')}`), { reason: 'app' }],
])('a request rejected for %s is logged with its request id and user', async (_, status, attempt, fields) => {
  logged = []
  expect((await attempt()).status).toBe(status)
  const [line] = logged.filter(({ message }) => message === 'refused a console request')
  expect(line).toMatchObject({ level: 'warn', request_id: expect.any(String), ...fields })
  if (!('reason' in fields && fields.reason === 'origin')) expect(line?.user_id).toMatch(/^usr_/)
  expect(JSON.stringify(logged)).not.toMatch(/example\.com|forged/)
})

test('a failed sign-in is logged, for a known and for an unknown address, without either address', async () => {
  logged = []
  const client = consoleClient(harness, '203.0.113.9')
  for (const email of ['owner@example.com', 'nobody@example.com'])
    expect((await client.post('/login', { email, password: 'not the password' })).status).toBe(401)
  await harness.drain()
  const lines = logged.filter(({ message }) => message === 'a sign-in failed')
  expect(lines.map(({ user_id }) => user_id)).toEqual([expect.stringMatching(/^usr_/), null])
  expect(JSON.stringify(logged)).not.toMatch(/example\.com|not the password/)
})
