import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ServiceHarness } from '@kyc/testing'
import { tokenHash } from '../src/domain/token-hash.ts'
import { type ConsoleClient, consoleClient, nextCode, signInFully } from './console-client.ts'
import { auditedBy, type Owner, password, startTeam, type Team } from './team.ts'

let harness: ServiceHarness
let owner: Owner
let asOwner: ConsoleClient
let join: Team['join']
let joinFully: Team['joinFully']

beforeAll(async () => {
  ;({ harness, owner, asOwner, join, joinFully } = await startTeam())
})
afterAll(() => harness.close())

describe('signing in', () => {
  test.each(['reviewer', 'owner'] as const)(
    'a new %s must enrol a second factor before any other access',
    async (role) => {
      const client = consoleClient(harness, '203.0.113.50')
      const joined = await join(role, `new-${role}@example.com`)
      const began = await client.post('/login', { email: joined.email, password })
      expect(began.body.state).toBe('enrolment')
      const refused = await client.get('/apps')
      expect([refused.status, refused.headers['x-sign-in-state']]).toEqual([403, 'enrolment'])
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
    },
  )

  test('requires a code, accepts it once, and issues a new cookie', async () => {
    const client = consoleClient(harness)
    const began = await client.post('/login', { email: 'OWNER@example.com', password: owner.password })
    expect(began.body.state).toBe('second_factor')
    const refused = await client.get('/users')
    expect([refused.status, refused.headers['x-sign-in-state']]).toEqual([403, 'second_factor'])
    // Replacing the factor without giving it must not bypass it.
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

  test('a recovery code replaces the phone, once', async () => {
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

  test('the cookie is HttpOnly and SameSite=Strict, and a made-up token is rejected', async () => {
    const client = consoleClient(harness)
    const reply = await client.post('/login', { email: owner.email, password: owner.password })
    const [cookie = ''] = reply.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^kyc_console=[A-Za-z0-9]{43}; Path=\/console; HttpOnly; SameSite=Strict$/)
    const stranger = consoleClient(harness)
    stranger.jar.cookie = 'kyc_console=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    expect((await stranger.get('/me')).status).toBe(401)
  })

  test('unknown address and wrong password get the same response', async () => {
    const client = consoleClient(harness, '203.0.113.7')
    const unknown = await client.post('/login', { email: 'nobody@example.com', password: 'whatever it is' })
    const wrong = await client.post('/login', { email: owner.email, password: 'whatever it is' })
    expect([unknown.status, unknown.body]).toEqual([401, wrong.body])
  })
})

describe('guessing', () => {
  const login = (client: ConsoleClient, password: string, email = owner.email) =>
    client.post('/login', { email, password })
  const guesses = async (client: ConsoleClient, count: number, email?: string) => {
    const statuses: number[] = []
    for (let guess = 0; guess < count; guess++)
      statuses.push((await login(client, `guess ${guess} of many`, email)).status)
    return statuses
  }
  /** A browser in which the owner has signed in and out again. */
  const knownBrowser = async (address: string) => {
    const client = consoleClient(harness, address)
    await signInFully(harness, client, owner)
    await client.get('/me')
    await client.post('/logout')
    return client
  }

  test('is limited per account and per address in unknown browsers, across addresses', async () => {
    const known = await knownBrowser('192.0.2.250')
    let limited = 0
    for (let address = 1; address <= 12; address++) {
      const attacker = consoleClient(harness, `192.0.2.${address}`)
      for (let guess = 0; guess < 9; guess++) {
        const reply = await login(attacker, `guess ${guess} of many`)
        if (reply.status === 429) {
          limited++
          expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
        }
      }
    }
    // 108 guesses: 8 per address, 40 per hour for the account from unknown browsers.
    expect(limited).toBeGreaterThanOrEqual(108 - 41)
    const fresh = consoleClient(harness, '192.0.2.200')
    expect((await login(fresh, owner.password)).status).toBe(429)
    await signInFully(harness, known, owner)
    harness.clock.advance({ hours: 1 })
    expect((await login(fresh, owner.password)).status).toBe(200)
  })

  test('from the same address never locks a user out of a known browser', async () => {
    const office = '203.0.113.40'
    const known = await knownBrowser(office)
    const neighbour = consoleClient(harness, office)
    for (let account = 0; account < 9; account++)
      await guesses(neighbour, 8, account === 0 ? owner.email : `nobody${account}@example.com`)
    // The limit of the address is reached, so even the correct password is rejected.
    expect((await login(consoleClient(harness, office), owner.password)).status).toBe(429)
    await signInFully(harness, known, owner)
    // In the known browser, the user's own failure uses up only one of their own attempts.
    expect((await login(known, 'a slip of the finger')).status).toBe(401)
    await signInFully(harness, known, owner)
    harness.clock.advance({ hours: 1 })
  })

  test('in a known browser is limited for that browser alone', async () => {
    const known = await knownBrowser('203.0.113.41')
    const other = await knownBrowser('203.0.113.41')
    expect(await guesses(known, 10)).toEqual([...Array(8).fill(401), 429, 429])
    expect((await login(known, owner.password)).status).toBe(429)
    expect((await login(other, owner.password)).status).toBe(200)
    harness.clock.advance({ minutes: 15 })
    expect((await login(known, owner.password)).status).toBe(200)
  })

  test('is limited in a browser that is known for another user only, or has a made-up cookie', async () => {
    const insider = (await join('reviewer', 'insider@example.com')).client
    expect(insider.jar.browser).toMatch(/^kyc_console_browser=[A-Za-z0-9]{43}$/)
    expect((await guesses(insider, 9)).at(-1)).toBe(429)
    const stranger = consoleClient(harness, '203.0.113.42')
    stranger.jar.browser = `kyc_console_browser=${'A'.repeat(43)}`
    expect((await guesses(stranger, 9)).at(-1)).toBe(429)
    harness.clock.advance({ hours: 1 })
  })

  test('a cookie that someone planted before a sign-in never becomes known for the user', async () => {
    const insider = (await join('reviewer', 'planter@example.com')).client
    const stolen = insider.jar.browser
    const victim = consoleClient(harness, '203.0.113.44')
    victim.jar.browser = stolen
    await signInFully(harness, victim, owner)
    await victim.get('/me')
    expect(victim.jar.browser).not.toBe(stolen)
    const { rows } = await harness.database.query<{ users: string }>(
      `SELECT count(*) AS users FROM known_browser WHERE browser_sha256 = $1`,
      [tokenHash(stolen.split('=')[1] ?? '')],
    )
    expect(rows).toEqual([{ users: '0' }])
  })

  test('of one person who shares a browser gains nothing by signing in themselves', async () => {
    const { client: shared, ...colleague } = await joinFully('reviewer', 'colleague@example.com')
    await signInFully(harness, shared, owner)
    await shared.get('/me')
    await shared.post('/logout')
    const cookies = [shared.jar.browser]
    expect(await guesses(shared, 5)).toEqual(Array(5).fill(401))
    for (let again = 0; again < 2; again++) {
      await signInFully(harness, shared, colleague)
      await shared.get('/me')
      await shared.post('/logout')
      cookies.push(shared.jar.browser)
    }
    expect(new Set(cookies).size).toBe(3)
    // The guesses count on with the new cookie; the earlier ones are as good as none.
    expect(await guesses(shared, 4)).toEqual([401, 401, 401, 429])
    const { rows } = await harness.database.query<{ browser: string }>(
      `SELECT encode(browser_sha256, 'hex') AS browser FROM known_browser
       WHERE user_id = (SELECT id FROM console_user WHERE email = $1) AND browser_sha256 = ANY($2)`,
      [owner.email, cookies.map((cookie) => tokenHash(cookie.split('=')[1] ?? ''))],
    )
    expect(rows).toEqual([{ browser: tokenHash(shared.jar.browser.split('=')[1] ?? '').toString('hex') }])
    harness.clock.advance({ hours: 1 })
  })

  test('the link of an invitation or a reset makes the browser known', async () => {
    const address = '203.0.113.45'
    const { email } = await join('reviewer', 'newcomer@example.com')
    const { rows } = await harness.database.query<{ id: string }>(
      'SELECT id FROM console_user WHERE email = $1',
      [email],
    )
    await signInFully(harness, asOwner, owner)
    const reset = await asOwner.post(`/users/${rows[0]?.id}/password-reset`)
    const token = (reset.body.link as string).split('#')[1] ?? ''
    const client = consoleClient(harness, address)
    await guesses(client, 9, email)
    expect((await login(client, password, email)).status).toBe(429)
    const chosen = 'another long phrase of words'
    expect((await client.post('/links/use', { token, password: chosen })).status).toBe(204)
    expect((await login(client, chosen, email)).status).toBe(200)
  })

  test('codes is limited too', async () => {
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
  test('ends after half an hour without a request, and after twelve hours in any case', async () => {
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

  test('requires its CSRF token for every change, and rejects calls from another origin', async () => {
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

  test('can be listed and ended: this one, another, and all others', async () => {
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

  test('requires re-authentication before sensitive actions', async () => {
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

test('the audit log has every action by id, and no password, e-mail address or code', async () => {
  const { actions, text } = await auditedBy(harness)
  for (const action of [
    'app.created',
    'user.signed_in',
    'user.sign_in_failed',
    'user.second_factor_enrolled',
    'user.signed_out',
    'user.reauthenticated',
  ])
    expect(actions).toContain(action)
  for (const personal of ['example.com', owner.password, password, owner.secret, owner.recovery_codes[0]])
    expect(text).not.toContain(personal)
})
