import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { allConsoleEndpoints, type CreatedSession, consoleHeaders } from '@kyc/common'
import { Jimp } from 'jimp'
import { apiClient } from './support/api.ts'
import { consoleClient, signInAndEnrol } from './support/console.ts'
import { type ConsoleUsers, consoleUsers, type SignedIn } from './support/console-users.ts'
import { type Named, requestOf } from './support/fuzz-requests.ts'
import { runFuzz } from './support/fuzz-run.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'
import { until } from './support/until.ts'

const requests = Number(process.env.KYC_FUZZ_CONSOLE_REQUESTS ?? 1_000)
const seed = Number(process.env.KYC_FUZZ_SEED ?? 20_260_301)
const growthMegabytes = 60

let system: TestSystem
let users: ConsoleUsers
let known: Record<string, string[]>
let photo: Buffer
/** The user that makes most requests. */
let owner: string
/** The user whose sign-ins, password and second factor are fuzzed, so that the first one stays signed in. */
let passer: string

beforeAll(async () => {
  system = await startTestSystem({
    SANCTIONS_DIR: '',
    MODELS_DIR: '/nonexistent',
    TRUSTED_PROXIES: '127.0.0.1/32',
  })
  users = consoleUsers(system)
  const first = consoleClient(system.url)
  await signInAndEnrol(first, system.app.console)
  owner = (await first.get('/me')).body.user.id
  passer = await users.add('owner')
  const app = (await first.get('/apps')).body.data[0].app_id as string
  photo = await new Jimp({ width: 96, height: 64, color: 0xf4f1e6ff }).getBuffer('image/jpeg')
  const backend = apiClient(system.url, system.app.api_key)
  const sessions: string[] = []
  for (let n = 0; n < 8; n++)
    sessions.push((await backend.post<CreatedSession>('/v1/sessions', { vendor_data: 'v' })).body.session_id)
  await first.put(`/apps/${app}/webhook`, { url: 'http://127.0.0.1:9/' })
  await backend.delete(`/v1/sessions/${sessions[0]}`)
  const deliveries = await until(
    () => first.get(`/apps/${app}/deliveries`),
    (answer) => answer.body.data.length > 0,
  )
  const invited = await first.post('/users/invitations', { email: 'new@example.com', role: 'reviewer' })
  known = {
    app_id: [app],
    session_id: sessions,
    workflow_id: (await first.get(`/apps/${app}/workflows`)).body.data.map((item: { id: string }) => item.id),
    version: ['1'],
    key_id: (await first.get(`/apps/${app}/keys`)).body.data.map((item: { id: string }) => item.id),
    delivery_id: deliveries.body.data.map((item: { delivery_id: string }) => item.delivery_id),
    invitation_id: [invited.body.invitation.id],
    user_id: [await users.add('reviewer'), await users.add('admin')],
    kind: ['face', 'document'],
  }
})
afterAll(async () => {
  await users.close()
  await system.close()
})

/** Endpoints about one's own account, which end or change the session that they use. */
const ofOneself = (endpoint: Named) =>
  endpoint.path.startsWith('/console/api/me') || endpoint.path.endsWith('/logout')

/** Endpoints that hash a password or open a stream: one in many requests, so that hashing does not dominate the run. */
const slow = ['signIn', 'changePassword', 'useLink', 'reauthenticate', 'streamLive', 'createApp']

describe(`${requests} requests made from the console's contracts by somebody who is signed in`, () => {
  test('get no 5xx, no hang, no undocumented response, and leak no memory', async () => {
    let main: SignedIn
    const { faults, statuses, succeeded, grownMegabytes } = await runFuzz({
      url: system.url,
      requests,
      seed,
      endpoints: allConsoleEndpoints,
      weight: (endpoint) => (slow.includes(endpoint.operationId) ? 1 : 6),
      arbitrary: (endpoint) => requestOf(endpoint, known, photo),
      beforePage: async () => {
        main = await users.signIn(owner)
      },
      prepare: async (endpoint, request) => {
        const who = ofOneself(endpoint) ? await users.signIn(passer) : main
        return {
          ...request,
          headers: { cookie: who.cookie, [consoleHeaders.csrf]: who.csrf, ...request.headers },
        }
      },
    })
    expect(faults).toEqual([])
    process.stdout.write(
      `console fuzz: ${requests} requests, answers ${JSON.stringify(statuses)}, ${succeeded.size} of ${allConsoleEndpoints.length} operations succeeded, memory ${grownMegabytes.toFixed(1)} MB more than after a quarter\n`,
    )
    expect(grownMegabytes).toBeLessThan(growthMegabytes)
    // A run whose requests were all rejected as unauthenticated would prove nothing.
    expect(statuses['200'] ?? 0).toBeGreaterThan(requests / 20)
    expect(succeeded.size).toBeGreaterThan(allConsoleEndpoints.length / 3)
    // Its actions are in the audit log, whose chain is intact.
    const after = consoleClient(system.url, await users.signIn(owner))
    await after.post('/audit/head')
    expect((await after.post('/audit/verify')).body).toMatchObject({ verdict: 'proven' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  }, 3_600_000)
})
