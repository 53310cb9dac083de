import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { recoverOwner, setUpApp } from '@kyc/common'
import { type ServiceHarness, startService } from '@kyc/testing'
import { consoleSchema, consoleService } from '../src/service.ts'
import { type ConsoleClient, consoleClient, nextCode, signInAndEnrol, signInFully } from './console-client.ts'
import { answerAsNeighbours, settings } from './neighbours.ts'

let harness: ServiceHarness
let owner: { email: string; password: string; secret: string; recovery_codes: string[] }
let asOwner: ConsoleClient

beforeAll(async () => {
  harness = await startService('console', consoleSchema, (deps) => consoleService(deps, settings), {
    before: answerAsNeighbours,
  })
  const made = await harness.bus.request(setUpApp, {
    name: 'Example',
    environment: 'test',
    webhook_url: null,
    owner_email: 'Owner@example.com',
  })
  if (!made.owner) throw new Error('no owner was made')
  asOwner = consoleClient(harness)
  owner = {
    ...made.owner,
    ...(await signInAndEnrol(harness, asOwner, made.owner.email, made.owner.password)),
  }
})
afterAll(() => harness.close())

const password = 'a long enough phrase of words'

/** Invites, accepts, returns what signs the person in. */
async function join(role: 'reviewer' | 'admin' | 'owner', email: string) {
  await signInFully(harness, asOwner, owner)
  const invited = await asOwner.post('/users/invitations', { email, role })
  expect(invited.status).toBe(201)
  const token = (invited.body.link as string).split('#')[1] ?? ''
  const client = consoleClient(harness)
  expect((await client.post('/links/use', { token, password })).status).toBe(204)
  return { client, token, email }
}

describe('signing in', () => {
  test('the first owner enrols a second factor before anything else opens', async () => {
    const client = consoleClient(harness, '203.0.113.50')
    const joined = await join('owner', 'second-owner@example.com')
    const began = await client.post('/login', { email: joined.email, password })
    expect(began.body.state).toBe('enrolment')
    expect((await client.get('/apps')).status).toBe(401)
    const account = await client.get('/me')
    expect(account.body).toMatchObject({ state: 'enrolment', actions: [], apps: [] })
    expect((await client.post('/me/second-factor/confirm', { code: '000000' })).status).toBe(409)
    const { secret, otpauth_url, qr_svg } = (await client.post('/me/second-factor')).body
    expect(otpauth_url).toContain(secret)
    expect(qr_svg).toContain('<svg')
    expect((await client.post('/me/second-factor/confirm', { code: 'wrong!' })).status).toBe(422)
    const before = client.jar.cookie
    const done = await client.post('/me/second-factor/confirm', {
      code: nextCode(harness, secret),
    })
    expect(done.body.recovery_codes).toHaveLength(10)
    expect(client.jar.cookie).not.toBe(before)
    expect((await client.get('/apps')).body.data).toHaveLength(1)
  })

  test('asks for the code, accepts it once, and gives a new cookie', async () => {
    const client = consoleClient(harness)
    const began = await client.post('/login', { email: 'OWNER@example.com', password: owner.password })
    expect(began.body.state).toBe('second_factor')
    expect((await client.get('/users')).status).toBe(401)
    // Replacing the factor without giving it is no way around it.
    expect((await client.post('/me/second-factor')).status).toBe(409)
    const half = client.jar.cookie
    const code = nextCode(harness, owner.secret)
    expect((await client.post('/login/second-factor', { code: '123456' })).status).toBe(401)
    expect((await client.post('/login/second-factor', { code })).body.state).toBe('full')
    expect(client.jar.cookie).not.toBe(half)
    expect((await client.get('/users')).status).toBe(200)

    const again = consoleClient(harness)
    await again.post('/login', { email: owner.email, password: owner.password })
    expect((await again.post('/login/second-factor', { code })).status).toBe(401)
  })

  test('a recovery code stands in for the telephone, once', async () => {
    const [code = ''] = owner.recovery_codes
    for (const [attempt, status] of [
      [code.toLowerCase(), 200],
      [code, 401],
    ] as const) {
      const client = consoleClient(harness)
      await client.post('/login', { email: owner.email, password: owner.password })
      expect((await client.post('/login/second-factor', { code: attempt })).status).toBe(status)
      if (status === 200) {
        expect((await client.get('/me')).body.second_factor.recovery_codes_left).toBe(9)
      }
    }
  })

  test('the cookie is for scripts of no page and no other site; a token of another session is not one', async () => {
    const client = consoleClient(harness)
    const reply = await client.post('/login', { email: owner.email, password: owner.password })
    const [cookie = ''] = reply.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^kyc_console=[A-Za-z0-9]{43}; Path=\/console; HttpOnly; SameSite=Strict$/)
    const stranger = consoleClient(harness)
    stranger.jar.cookie = 'kyc_console=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    expect((await stranger.get('/me')).status).toBe(401)
  })

  test('unknown address and wrong password look the same', async () => {
    const client = consoleClient(harness, '203.0.113.7')
    const unknown = await client.post('/login', { email: 'nobody@example.com', password: 'whatever it is' })
    const wrong = await client.post('/login', { email: owner.email, password: 'whatever it is' })
    expect([unknown.status, unknown.body]).toEqual([401, wrong.body])
  })
})

describe('guessing', () => {
  test('is held up by account and address, and never keeps the person out of a place they know', async () => {
    let limited = 0
    for (let address = 1; address <= 12; address++) {
      const attacker = consoleClient(harness, `192.0.2.${address}`)
      for (let guess = 0; guess < 9; guess++) {
        const reply = await attacker.post('/login', {
          email: owner.email,
          password: `guess ${guess} of many`,
        })
        if (reply.status === 429) {
          limited++
          expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
        }
      }
    }
    // 108 guesses: 8 an address, 40 an hour for the account from places it does not know.
    expect(limited).toBeGreaterThanOrEqual(108 - 41)
    const fresh = consoleClient(harness, '192.0.2.200')
    expect((await fresh.post('/login', { email: owner.email, password: owner.password })).status).toBe(429)
    await signInFully(harness, consoleClient(harness), owner)
    harness.clock.advance({ hours: 1 })
    expect((await fresh.post('/login', { email: owner.email, password: owner.password })).status).toBe(200)
  })

  test('codes is held up too', async () => {
    const client = consoleClient(harness, '203.0.113.77')
    await client.post('/login', { email: owner.email, password: owner.password })
    const statuses: number[] = []
    for (let guess = 0; guess < 10; guess++) {
      statuses.push((await client.post('/login/second-factor', { code: String(100_000 + guess) })).status)
    }
    expect(statuses.slice(0, 8)).toEqual(Array(8).fill(401))
    expect(statuses.slice(8)).toEqual([429, 429])
  })
})

describe('a session', () => {
  test('ends after half an hour without a request, and after twelve hours whatever happens', async () => {
    const client = consoleClient(harness)
    await signInFully(harness, client, owner)
    for (let minutes = 0; minutes < 11 * 60 + 40; minutes += 20) {
      harness.clock.advance({ minutes: 20 })
      expect((await client.get('/me')).status).toBe(200)
    }
    harness.clock.advance({ minutes: 20 })
    expect((await client.get('/me')).status).toBe(401)

    await signInFully(harness, client, owner)
    harness.clock.advance({ minutes: 30 })
    expect((await client.get('/me')).status).toBe(401)
  })

  test('needs its CSRF token for every change, and takes none from another origin', async () => {
    const client = consoleClient(harness)
    await signInFully(harness, client, owner)
    const invite = (headers: Record<string, string>) =>
      client.call(
        'post',
        '/console/api/users/invitations',
        { email: 'x@example.com', role: 'reviewer' },
        headers,
      )
    expect((await invite({ 'x-csrf-token': '' })).status).toBe(403)
    expect((await invite({ 'x-csrf-token': `${client.jar.csrf.slice(0, -1)}A` })).status).toBe(403)
    expect((await invite({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await invite({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
    const login = await client.call(
      'post',
      '/console/api/login',
      { email: owner.email, password: owner.password },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(login.status).toBe(403)
    expect((await client.get('/users')).body.invitations).toEqual([])
  })

  test('can be seen and ended, here, elsewhere and everywhere', async () => {
    const here = consoleClient(harness)
    const there = consoleClient(harness)
    await signInFully(harness, here, owner)
    await signInFully(harness, there, owner)
    const { data } = (await here.get('/me/sessions')).body as {
      data: { id: string; current: boolean; device: string; address: string }[]
    }
    expect(data.filter((session) => session.current)).toHaveLength(1)
    expect(data[0]).toMatchObject({ device: 'Chrome on Linux', address: '198.51.100.7' })
    const other = (await there.get('/me')).body.session.id as string
    expect((await here.delete(`/me/sessions/${other}`)).status).toBe(204)
    expect((await there.get('/me')).status).toBe(401)
    expect((await here.delete(`/me/sessions/${other}`)).status).toBe(404)
    await signInFully(harness, there, owner)
    expect((await here.delete('/me/sessions')).status).toBe(204)
    expect((await there.get('/me')).status).toBe(401)
    expect((await here.post('/logout')).status).toBe(204)
    expect(here.jar.cookie).toBe('')
  })

  test('asks for the password again before acts that could hand the house over', async () => {
    const client = consoleClient(harness)
    await signInFully(harness, client, owner)
    harness.clock.advance({ minutes: 6 })
    const refused = await client.post('/users/invitations', { email: 'x@example.com', role: 'reviewer' })
    expect([refused.status, refused.headers['x-reauthenticate']]).toEqual([403, 'required'])
    expect((await client.post('/me/reauthenticate', { password: owner.password })).status).toBe(400)
    const code = nextCode(harness, owner.secret)
    expect((await client.post('/me/reauthenticate', { password: 'not it at all', code })).status).toBe(422)
    const before = client.jar.cookie
    expect((await client.post('/me/reauthenticate', { password: owner.password, code })).status).toBe(200)
    expect(client.jar.cookie).not.toBe(before)
    const invited = await client.post('/users/invitations', { email: 'x@example.com', role: 'reviewer' })
    expect(invited.status).toBe(201)
  })
})

describe('invitations and resets', () => {
  test('a link works once, for an hour, and its token is stored nowhere', async () => {
    const { client, token } = await join('reviewer', 'once@example.com')
    expect((await client.post('/links/use', { token, password })).status).toBe(404)
    expect((await client.post('/links/open', { token })).status).toBe(404)
    await signInFully(harness, asOwner, owner)
    const late = await asOwner.post('/users/invitations', { email: 'late@example.com', role: 'reviewer' })
    const lateToken = (late.body.link as string).split('#')[1] ?? ''
    expect((await client.post('/links/open', { token: lateToken })).body).toMatchObject({
      kind: 'invitation',
      email: 'late@example.com',
    })
    const dump = JSON.stringify((await harness.database.query('SELECT * FROM link')).rows)
    expect(dump).not.toContain(lateToken)
    harness.clock.advance({ hours: 1 })
    expect((await client.post('/links/use', { token: lateToken, password })).status).toBe(404)
  })

  test('a refused password does not cost the link', async () => {
    await signInFully(harness, asOwner, owner)
    const invited = await asOwner.post('/users/invitations', { email: 'weak@example.com', role: 'reviewer' })
    const token = (invited.body.link as string).split('#')[1] ?? ''
    const client = consoleClient(harness)
    expect((await client.post('/links/use', { token, password: 'password1234' })).status).toBe(422)
    expect((await client.post('/links/use', { token, password: 'short' })).status).toBe(400)
    expect((await client.post('/links/use', { token, password })).status).toBe(204)
  })

  test('of two who use one link at once, one is let in', async () => {
    await signInFully(harness, asOwner, owner)
    const invited = await asOwner.post('/users/invitations', { email: 'race@example.com', role: 'reviewer' })
    const token = (invited.body.link as string).split('#')[1] ?? ''
    const use = () => consoleClient(harness).post('/links/use', { token, password })
    const statuses = (await Promise.all([use(), use(), use()])).map((reply) => reply.status)
    expect(statuses.sort()).toEqual([204, 404, 404])
  })

  test('a reset sets the password, ends the sessions and leaves the second factor', async () => {
    const { email, client } = await join('admin', 'forgetful@example.com')
    const { secret } = await signInAndEnrol(harness, client, email, password)
    await signInFully(harness, asOwner, owner)
    const users = (await asOwner.get('/users')).body.data as { id: string; email: string }[]
    const id = users.find((user) => user.email === email)?.id
    const reset = await asOwner.post(`/users/${id}/password-reset`)
    const token = (reset.body.link as string).split('#')[1] ?? ''
    const next = 'another phrase, quite different'
    expect((await consoleClient(harness).post('/links/use', { token, password: next })).status).toBe(204)
    expect((await client.get('/me')).status).toBe(401)
    const began = await client.post('/login', { email, password: next })
    expect(began.body.state).toBe('second_factor')
    const code = nextCode(harness, secret)
    expect((await client.post('/login/second-factor', { code })).body.state).toBe('full')
  })

  test('an unknown address gets the same answer to a reset as a known one', async () => {
    const client = consoleClient(harness, '203.0.113.90')
    const known = await client.post('/password-reset', { email: owner.email })
    const unknown = await client.post('/password-reset', { email: 'nobody@example.com' })
    expect([known.status, unknown.status]).toEqual([204, 204])
  })
})

describe('users', () => {
  test("a disabled user's sessions end at once, and they cannot come back", async () => {
    const { client, email } = await join('reviewer', 'leaver@example.com')
    expect((await client.post('/login', { email, password })).body.state).toBe('full')
    expect((await client.get('/apps')).status).toBe(200)
    await signInFully(harness, asOwner, owner)
    const users = (await asOwner.get('/users')).body.data as { id: string; email: string }[]
    const id = users.find((user) => user.email === email)?.id
    expect((await asOwner.patch(`/users/${id}`, { disabled: true })).status).toBe(200)
    expect((await client.get('/apps')).status).toBe(401)
    expect((await client.post('/login', { email, password })).status).toBe(401)
  })

  test('an admin manages reviewers and nobody else; a role that grows asks for a second factor', async () => {
    const admin = await join('admin', 'admin@example.com')
    await signInAndEnrol(harness, admin.client, admin.email, password)
    const invite = (role: string) =>
      admin.client.post('/users/invitations', { email: `by-admin-${role}@example.com`, role })
    expect((await invite('reviewer')).status).toBe(201)
    expect((await invite('admin')).status).toBe(403)
    expect((await invite('owner')).status).toBe(403)
    const users = (await admin.client.get('/users')).body.data as {
      id: string
      email: string
      role: string
    }[]
    const ownerId = users.find((user) => user.email.toLowerCase() === 'owner@example.com')?.id
    expect((await admin.client.patch(`/users/${ownerId}`, { disabled: true })).status).toBe(403)
    expect((await admin.client.delete(`/users/${ownerId}/second-factor`)).status).toBe(403)

    const reviewer = await join('reviewer', 'riser@example.com')
    const id = ((await asOwner.get('/users')).body.data as { id: string; email: string }[]).find(
      (user) => user.email === reviewer.email,
    )?.id
    expect((await admin.client.patch(`/users/${id}`, { role: 'admin' })).status).toBe(403)
    expect((await asOwner.patch(`/users/${id}`, { role: 'admin' })).body.role).toBe('admin')
    const began = await reviewer.client.post('/login', { email: reviewer.email, password })
    expect(began.body.state).toBe('enrolment')
  })

  test('the last owner stays', async () => {
    await signInFully(harness, asOwner, owner)
    const { data } = (await asOwner.get('/users')).body as {
      data: { id: string; email: string; role: string }[]
    }
    const me = (await asOwner.get('/me')).body.user.id as string
    for (const other of data.filter((user) => user.role === 'owner' && user.id !== me)) {
      expect((await asOwner.patch(`/users/${other.id}`, { disabled: true })).status).toBe(200)
    }
    expect((await asOwner.patch(`/users/${me}`, { disabled: true })).status).toBe(409)
    expect((await asOwner.patch(`/users/${me}`, { role: 'admin' })).status).toBe(409)
  })

  test('changing the password needs the present one, refuses common ones and ends every other session', async () => {
    const { client, email } = await join('reviewer', 'changer@example.com')
    await client.post('/login', { email, password })
    const other = consoleClient(harness)
    await other.post('/login', { email, password })
    const change = (current_password: string, new_password: string) =>
      client.post('/me/password', { current_password, new_password })
    expect((await change('wrong wrong wrong', 'something else entirely')).status).toBe(422)
    expect((await change(password, 'Password123456')).status).toBe(422)
    expect((await change(password, 'something else entirely')).status).toBe(200)
    expect((await client.get('/me')).status).toBe(200)
    expect((await other.get('/me')).status).toBe(401)
  })
})

test('an operator can let an owner in again who lost everything, and nobody else', async () => {
  const lost = await join('owner', 'lost@example.com')
  await signInAndEnrol(harness, lost.client, lost.email, password)
  const recovered = await harness.bus.request(recoverOwner, { email: 'LOST@example.com' })
  expect((await lost.client.get('/me')).status).toBe(401)
  expect((await lost.client.post('/login', { email: lost.email, password })).status).toBe(401)
  const began = await lost.client.post('/login', recovered)
  expect(began.body.state).toBe('enrolment')
  for (const email of ['nobody@example.com', 'changer@example.com'])
    await expect(harness.bus.request(recoverOwner, { email })).rejects.toMatchObject({ code: 'not_found' })
})

test('the audit log has every act by id, and no password, address of a mail or code', async () => {
  await harness.drain()
  const { rows } = await harness.database.query<{ action: string }>('SELECT * FROM audit_entry ORDER BY seq')
  const actions = new Set(rows.map((row) => row.action))
  for (const action of [
    'app.created',
    'user.signed_in',
    'user.sign_in_failed',
    'user.second_factor_enrolled',
    'user.invited',
    'user.joined',
    'user.password_reset',
    'user.password_changed',
    'user.changed',
    'user.signed_out',
    'user.reauthenticated',
  ]) {
    expect(actions).toContain(action)
  }
  const text = JSON.stringify(rows)
  for (const personal of ['example.com', owner.password, password, owner.secret, owner.recovery_codes[0]])
    expect(text).not.toContain(personal)
})
