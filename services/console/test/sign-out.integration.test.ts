import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ServiceHarness } from '@kyc/testing'
import { consoleClient, signInFully } from './console-client.ts'
import { type Owner, startTeam } from './team.ts'

let harness: ServiceHarness
let owner: Owner

beforeAll(async () => {
  ;({ harness, owner } = await startTeam())
})
afterAll(() => harness.close())

test('signing out ends the session on the server and clears cookie, cache and storage of the browser', async () => {
  const client = consoleClient(harness)
  await signInFully(harness, client, owner)
  const stolen = { cookie: client.jar.cookie, csrf: client.jar.csrf }
  const reply = await client.post('/logout')
  expect(reply.status).toBe(204)
  expect(reply.headers['clear-site-data']).toBe('"cache", "storage"')
  const cookies = reply.headers['set-cookie'] as unknown as string[]
  expect(cookies.filter((cookie) => cookie.startsWith('kyc_console='))).toEqual([
    expect.stringMatching(/^kyc_console=;.*Max-Age=0/),
  ])
  const thief = consoleClient(harness)
  Object.assign(thief.jar, stolen)
  expect((await thief.get('/me')).status).toBe(401)
})
