import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ServiceHarness } from '@kyc/testing'
import { type ConsoleClient, consoleClient, nextCode, signInAndEnrol, signInFully } from './console-client.ts'
import { type Owner, password, startTeam, type Team } from './team.ts'

let harness: ServiceHarness
let owner: Owner
let asOwner: ConsoleClient
let join: Team['join']
let server: Server
let base: string

beforeAll(async () => {
  ;({ harness, owner, asOwner, join } = await startTeam())
  server = createServer(harness.service.app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await harness.close()
})

async function idOf(email: string): Promise<string> {
  const { data } = (await asOwner.get('/users')).body as { data: { id: string; email: string }[] }
  return data.find((user) => user.email === email)?.id ?? ''
}

describe('every session of a user ends', () => {
  test('except the current one, when the second factor is replaced', async () => {
    const { client, email } = await join('admin', 'new-phone@example.com')
    const { secret } = await signInAndEnrol(harness, client, email, password)
    const other = consoleClient(harness)
    await signInFully(harness, other, { email, password, secret })
    expect((await other.get('/apps')).status).toBe(200)
    await signInFully(harness, client, { email, password, secret })

    const replaced = (await client.post('/me/second-factor')).body as { secret: string }
    expect((await other.get('/apps')).status).toBe(200)
    const confirmed = await client.post('/me/second-factor/confirm', {
      code: nextCode(harness, replaced.secret),
    })
    expect(confirmed.status).toBe(200)
    expect((await client.get('/apps')).status).toBe(200)
    expect((await other.get('/apps')).status).toBe(401)
  })

  test('when an administrator ends them, and the user may sign in again', async () => {
    const { client, email } = await join('reviewer', 'lost-laptop@example.com')
    const { secret } = await signInAndEnrol(harness, client, email, password)
    const other = consoleClient(harness)
    await signInFully(harness, other, { email, password, secret })
    await signInFully(harness, asOwner, owner)
    const ended = await asOwner.post(`/users/${await idOf(email)}/sign-out`)
    expect(ended.status).toBe(204)
    for (const device of [client, other]) expect((await device.get('/apps')).status).toBe(401)
    await signInFully(harness, client, { email, password, secret })
    expect((await client.get('/apps')).status).toBe(200)
  })

  test('when the role changes, and the new role needs a new sign-in', async () => {
    const { client, email } = await join('reviewer', 'promoted@example.com')
    await client.post('/login', { email, password })
    await signInFully(harness, asOwner, owner)
    expect((await asOwner.patch(`/users/${await idOf(email)}`, { role: 'admin' })).status).toBe(200)
    expect((await client.get('/apps')).status).toBe(401)
  })

  test('when the second factor is removed, and the next sign-in must set up a new one', async () => {
    const { client, email } = await join('admin', 'lost-phone@example.com')
    await signInAndEnrol(harness, client, email, password)
    await signInFully(harness, asOwner, owner)
    expect((await asOwner.delete(`/users/${await idOf(email)}/second-factor`)).status).toBe(204)
    expect((await client.get('/apps')).status).toBe(401)
    expect((await client.post('/login', { email, password })).body.state).toBe('enrolment')
  })
})

test('a user neither sees nor ends the session of another user', async () => {
  const mine = await join('reviewer', 'mine@example.com')
  const theirs = await join('reviewer', 'theirs@example.com')
  for (const { client, email } of [mine, theirs]) await signInAndEnrol(harness, client, email, password)
  const id = (await theirs.client.get('/me')).body.session.id as string
  const seen = (await mine.client.get('/me/sessions')).body.data as { id: string }[]
  expect(seen).toHaveLength(1)
  expect(seen.map((session) => session.id)).not.toContain(id)
  expect((await mine.client.delete(`/me/sessions/${id}`)).status).toBe(404)
  expect((await theirs.client.get('/me')).status).toBe(200)
})

describe('a live stream', () => {
  /** Opens the stream of the first app; `ended` settles when the server ends it. */
  async function openStream(client: ConsoleClient) {
    const appId = (await client.get('/apps')).body.data[0].app_id as string
    const headers = {
      ...(await harness.identity({ type: 'flow', address: '198.51.100.7' })),
      cookie: client.jar.cookie,
    }
    const signal = AbortSignal.timeout(30_000)
    const response = await fetch(`${base}/console/api/apps/${appId}/live`, { headers, signal })
    expect(response.status).toBe(200)
    return { ended: response.text() }
  }

  test('requires a session', async () => {
    const appId = (await asOwner.get('/apps')).body.data?.[0]?.app_id ?? 'app_none'
    const headers = await harness.identity({ type: 'flow', address: '198.51.100.7' })
    expect((await fetch(`${base}/console/api/apps/${appId}/live`, { headers })).status).toBe(401)
  })

  test('ends within ten seconds of sign-out, of disabling the user, and of the idle time-out', async () => {
    const leaver = await join('reviewer', 'leaver@example.com')
    const disabled = await join('reviewer', 'disabled@example.com')
    const idle = await join('reviewer', 'idle@example.com')
    for (const { client, email } of [leaver, disabled, idle])
      await signInAndEnrol(harness, client, email, password)
    await signInFully(harness, asOwner, owner)
    const [leaves, isDisabled, idles] = [
      await openStream(leaver.client),
      await openStream(disabled.client),
      await openStream(idle.client),
    ]
    let open = true
    void idles.ended.then(() => {
      open = false
    })
    await leaver.client.post('/logout')
    await asOwner.patch(`/users/${await idOf(disabled.email)}`, { disabled: true })
    const endedWithin = async (streams: { ended: Promise<string> }[]) => {
      const began = performance.now()
      for (const { ended } of streams) expect(await ended).toContain(': open')
      expect(performance.now() - began).toBeLessThan(15_000)
    }
    await endedWithin([leaves, isDisabled])
    expect(open).toBe(true)
    harness.clock.advance({ minutes: 31 })
    await endedWithin([idles])
  })
})
