import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { consoleHeaders, type PasskeyCreationOptions, type PasskeyRequestOptions } from '@kyc/common'
import type { ServiceHarness } from '@kyc/testing'
import { type ConsoleClient, consoleClient, nextCode, signInAndEnrol, signInFully } from './console-client.ts'
import { type Deviation, flags, type SoftwareKey, softwareAuthenticator } from './software-authenticator.ts'
import { auditedBy, type Owner, password, startTeam, type Team } from './team.ts'

let harness: ServiceHarness
let owner: Owner
let asOwner: ConsoleClient
let join: Team['join']
const device = softwareAuthenticator()

beforeAll(async () => {
  ;({ harness, owner, asOwner, join } = await startTeam())
})
afterAll(() => harness.close())

async function register(
  client: ConsoleClient,
  name: string,
  deviation: Deviation & { credentialId?: Buffer; announcedId?: Buffer } = {},
) {
  const begun = await client.post('/me/passkeys/options')
  if (begun.status !== 200) throw new Error(`no options: ${begun.text}`)
  const { key, registration } = device.register(begun.body as PasskeyCreationOptions, deviation)
  return { key, registration, reply: await client.post('/me/passkeys', { name, registration }) }
}

const begin = async (client: ConsoleClient, path: string) =>
  (await client.post(`${path}/options`)).body as PasskeyRequestOptions

/** A user whose only second factor is a passkey. */
async function joinWithPasskey(email: string) {
  const { client } = await join('reviewer', email)
  await client.post('/login', { email, password })
  const { key, reply } = await register(client, 'Laptop')
  if (reply.status !== 201) throw new Error(`not enrolled: ${reply.text}`)
  return {
    client,
    key,
    email,
    id: reply.body.passkey.id as string,
    codes: reply.body.recovery_codes as string[],
  }
}

/** Signs in with the password, so that only the passkey is outstanding. */
async function passwordGiven(email: string): Promise<ConsoleClient> {
  const client = consoleClient(harness)
  const began = await client.post('/login', { email, password })
  expect(began.body.state).toBe('second_factor')
  return client
}

describe('enrolment', () => {
  test('a passkey is a second factor: it completes the sign-in and comes with recovery codes once', async () => {
    const { client, email } = await join('reviewer', 'first-passkey@example.com')
    const began = await client.post('/login', { email, password })
    expect(began.body.state).toBe('enrolment')
    expect((await client.get('/apps')).status).toBe(403)
    const options = (await client.post('/me/passkeys/options')).body as PasskeyCreationOptions
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'required' },
    })
    const before = client.jar.cookie
    const { reply } = await register(client, 'Laptop')
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ state: 'full', passkey: { name: 'Laptop', backed_up: false } })
    expect(reply.body.recovery_codes).toHaveLength(10)
    expect(client.jar.cookie).not.toBe(before)
    expect((await client.get('/apps')).status).toBe(200)
    const second = await register(client, 'Security key')
    expect(second.reply.body.recovery_codes).toBeNull()
    expect((await client.get('/me')).body.second_factor).toEqual({
      authenticator_app: false,
      passkeys: 2,
      recovery_codes_left: 10,
    })
  })

  test.each<[string, Deviation]>([
    ['from another origin', { origin: 'http://localhost.example.com:8080' }],
    ['from another port', { origin: 'http://localhost:8081' }],
    ['inside a foreign frame', { crossOrigin: true }],
    ['for another RP ID', { rpId: 'example.com' }],
    ['without user verification', { flags: flags.up | flags.at }],
    ['without user presence', { flags: flags.uv | flags.at }],
    ['to a challenge of our own making', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['that is an assertion', { type: 'webauthn.get' }],
    [
      'with attestation certificates',
      {
        attestation: {
          fmt: 'packed',
          attStmt: new Map<string, unknown>([
            ['alg', -7],
            ['sig', Buffer.alloc(8)],
            ['x5c', [Buffer.alloc(8)]],
          ]),
        },
      },
    ],
    ['that is no CBOR', { attestationObject: '____' }],
    ['in a format that is not verified', { attestation: { fmt: 'android-key', attStmt: new Map() } }],
  ])('rejects a registration %s', async (_, deviation) => {
    const client = consoleClient(harness)
    await signInFully(harness, client, owner)
    const { reply } = await register(client, 'Refused', deviation)
    expect([reply.status, reply.body.error.code]).toEqual([422, 'unprocessable'])
    expect((await client.get('/me/passkeys')).body.data).toEqual([])
  })

  test('refuses a credential whose signed id differs from the announced one, however long', async () => {
    const joined = await join('reviewer', 'announced@example.com')
    await joined.client.post('/login', { email: joined.email, password })
    for (const length of [8_000, 1_024, 32]) {
      const credentialId = randomBytes(length)
      const { reply } = await register(joined.client, 'Announced', {
        credentialId,
        announcedId: Buffer.alloc(32, 5),
      })
      expect([length, reply.status]).toEqual([length, 422])
    }
  })

  test('a challenge registers once, within five minutes, and only in its own session', async () => {
    const client = consoleClient(harness)
    await signInFully(harness, client, owner)
    const attempt = async (made: ReturnType<typeof device.register>, by = client) =>
      (await by.post('/me/passkeys', { name: 'Key', registration: made.registration })).status
    const optionsOf = async () => (await client.post('/me/passkeys/options')).body as PasskeyCreationOptions

    const late = device.register(await optionsOf())
    harness.clock.advance({ minutes: 5 })
    // Re-authenticate, so that only the age of the challenge can be the reason for the rejection.
    await client.post('/me/reauthenticate', {
      password: owner.password,
      code: nextCode(harness, owner.secret),
    })
    expect(await attempt(late)).toBe(422)

    const elsewhere = consoleClient(harness)
    await signInFully(harness, elsewhere, owner)
    const mine = device.register(await optionsOf())
    expect(await attempt(mine, elsewhere)).toBe(422)
    expect(await attempt(mine)).toBe(201)
    expect(await attempt(mine)).toBe(422)
    const [{ id }] = (await client.get('/me/passkeys')).body.data
    expect((await client.delete(`/me/passkeys/${id}`)).status).toBe(204)
  })

  test('a credential belongs to one user and cannot be registered again', async () => {
    const { key } = await joinWithPasskey('first-holder@example.com')
    const { client, email } = await join('reviewer', 'second-holder@example.com')
    await signInAndEnrol(harness, client, email, password)
    const { reply } = await register(client, 'Copied', { credentialId: key.credentialId })
    expect(reply.status).toBe(409)
  })

  test('a session with only the password cannot add a factor after another session enrolled one', async () => {
    const { client, email } = await join('reviewer', 'two-sessions@example.com')
    const thief = consoleClient(harness)
    await client.post('/login', { email, password })
    await thief.post('/login', { email, password })
    const options = (await thief.post('/me/passkeys/options')).body as PasskeyCreationOptions
    const { registration } = device.register(options)
    expect((await register(client, 'Mine')).reply.status).toBe(201)
    expect((await thief.post('/me/passkeys', { name: 'Theirs', registration })).status).toBe(401)
    const again = await passwordGiven(email)
    expect((await again.post('/me/passkeys/options')).status).toBe(409)
    expect((await again.post('/me/second-factor')).status).toBe(409)
  })

  test('of two sessions that enrol concurrently, one succeeds', async () => {
    const { client, email } = await join('reviewer', 'enrol-race@example.com')
    const other = consoleClient(harness)
    await client.post('/login', { email, password })
    await other.post('/login', { email, password })
    // Get the options for both first, because the losing session is ended.
    const made = []
    for (const session of [client, other]) {
      const options = (await session.post('/me/passkeys/options')).body as PasskeyCreationOptions
      made.push({ session, registration: device.register(options).registration })
    }
    const replies = await Promise.all(
      made.map(({ session, registration }) => session.post('/me/passkeys', { name: 'Key', registration })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 401])
  })
})

describe('a passkey as the second factor', () => {
  let person: { client: ConsoleClient; key: SoftwareKey; email: string; id: string }
  beforeAll(async () => {
    person = await joinWithPasskey('second-factor@example.com')
  })
  const path = '/login/second-factor/passkey'

  test('completes a sign-in and issues a new cookie', async () => {
    const client = await passwordGiven(person.email)
    const options = await begin(client, path)
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([
      person.key.credentialId.toString('base64url'),
    ])
    const before = client.jar.cookie
    const done = await client.post(path, { assertion: device.assert(options, person.key) })
    expect(done.body.state).toBe('full')
    expect(client.jar.cookie).not.toBe(before)
    expect((await client.get('/apps')).status).toBe(200)
    const [listed] = (await client.get('/me/passkeys')).body.data
    expect(listed.last_used_at).not.toBeNull()
  })

  test.each<[string, Deviation]>([
    ['from another origin', { origin: 'https://localhost:8080' }],
    ['inside a foreign frame', { crossOrigin: true }],
    ['for another RP ID', { rpId: 'example.com' }],
    ['without user verification', { flags: flags.up }],
    ['that is a registration', { type: 'webauthn.create' }],
    ['to a challenge of our own making', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['signed by another key', { signWith: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ])('rejects an assertion %s', async (_, deviation) => {
    const client = await passwordGiven(person.email)
    const assertion = device.assert(await begin(client, path), person.key, deviation)
    expect((await client.post(path, { assertion })).status).toBe(401)
    expect((await client.get('/apps')).status).toBe(403)
    // Resets the failure count, so that the next case is not throttled.
    const good = device.assert(await begin(client, path), person.key)
    expect((await client.post(path, { assertion: good })).status).toBe(200)
  })

  test('rejects a tampered signature, tampered authenticator data and tampered client data', async () => {
    const client = await passwordGiven(person.email)
    for (const part of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
      const assertion = device.assert(await begin(client, path), person.key)
      const bytes = Buffer.from(assertion.response[part], 'base64url')
      bytes[bytes.length - 2] = (bytes[bytes.length - 2] ?? 0) ^ 1
      assertion.response[part] = bytes.toString('base64url')
      expect((await client.post(path, { assertion })).status).toBe(401)
    }
    expect((await client.get('/me')).body.state).toBe('second_factor')
  })

  test('a challenge is valid once, even if the response is rejected, and for five minutes', async () => {
    const client = await passwordGiven(person.email)
    const options = await begin(client, path)
    const bad = device.assert(options, person.key, { flags: flags.up })
    const good = device.assert(options, person.key)
    expect((await client.post(path, { assertion: bad })).status).toBe(401)
    expect((await client.post(path, { assertion: good })).status).toBe(401)

    const late = device.assert(await begin(client, path), person.key)
    harness.clock.advance({ minutes: 5 })
    expect((await client.post(path, { assertion: late })).status).toBe(401)

    const used = device.assert(await begin(client, path), person.key)
    expect((await client.post(path, { assertion: used })).status).toBe(200)
    const again = await passwordGiven(person.email)
    expect((await again.post(path, { assertion: used })).status).toBe(401)
  })

  test('a challenge is valid in its own session and for its own purpose only', async () => {
    const here = await passwordGiven(person.email)
    const there = await passwordGiven(person.email)
    const assertion = device.assert(await begin(here, path), person.key)
    expect((await there.post(path, { assertion })).status).toBe(401)
    expect((await consoleClient(harness).post('/login/passkey', { assertion })).status).toBe(401)
    expect((await here.post(path, { assertion })).status).toBe(200)
    const forReauthentication = device.assert(await begin(here, '/me/reauthenticate/passkey'), person.key)
    expect((await there.post(path, { assertion: forReauthentication })).status).toBe(401)
  })

  test('rejects a passkey of another user', async () => {
    const other = await joinWithPasskey('other-person@example.com')
    const client = await passwordGiven(person.email)
    const assertion = device.assert(await begin(client, path), other.key)
    expect((await client.post(path, { assertion })).status).toBe(401)
  })

  test('rejects and audits a counter that decreases or stays equal, and accepts one that advances', async () => {
    const { email, key, id } = await joinWithPasskey('cloned@example.com')
    const client = await passwordGiven(email)
    const give = async (counter: number) =>
      (await client.post(path, { assertion: device.assert(await begin(client, path), key, { counter }) }))
        .status
    expect(await give(0)).toBe(401)
    expect(await give(1)).toBe(401)
    expect(await give(2)).toBe(200)
    const { rows } = await harness.database.query<{ target: string }>(
      `SELECT target FROM audit_entry WHERE action = 'user.passkey_clone_suspected'`,
    )
    expect(rows.map(({ target }) => target)).toEqual([id, id])
  })

  test('of two copies of a key that respond with the same count concurrently, one is accepted', async () => {
    const { email, key } = await joinWithPasskey('copied@example.com')
    const clients = await Promise.all([passwordGiven(email), passwordGiven(email)])
    const statuses = await Promise.all(
      clients.map(async (client) => {
        const assertion = device.assert(await begin(client, path), { ...key }, { counter: 7 })
        return (await client.post(path, { assertion })).status
      }),
    )
    expect(statuses.sort()).toEqual([200, 401])
  })

  test('an authenticator without a counter is accepted repeatedly', async () => {
    const { client: joined, email } = await join('reviewer', 'synced@example.com')
    await joined.post('/login', { email, password })
    const { key } = await register(joined, 'Password manager', {
      counter: 0,
      flags: flags.up | flags.uv | flags.at | flags.be | flags.bs,
    })
    for (let time = 0; time < 2; time++) {
      const client = await passwordGiven(email)
      const assertion = device.assert(await begin(client, path), key, {
        counter: 0,
        flags: flags.up | flags.uv | flags.be | flags.bs,
      })
      expect((await client.post(path, { assertion })).status).toBe(200)
      expect((await client.get('/me/passkeys')).body.data).toMatchObject([{ backed_up: true }])
    }
  })

  test('guesses are throttled like those of codes', async () => {
    const { email, key } = await joinWithPasskey('throttled@example.com')
    const client = await passwordGiven(email)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 10; attempt++) {
      const assertion = device.assert(await begin(client, path), key, { flags: flags.up })
      statuses.push((await client.post(path, { assertion })).status)
    }
    expect(statuses.slice(0, 8)).toEqual(Array(8).fill(401))
    expect(statuses.slice(8)).toEqual([429, 429])
    harness.clock.advance({ minutes: 16 })
  })

  test('a recovery code replaces a lost passkey, and a reset password does not', async () => {
    const { email, codes } = await joinWithPasskey('lost-passkey@example.com')
    const client = await passwordGiven(email)
    expect((await client.post('/login/second-factor', { code: '123456' })).status).toBe(401)
    expect((await client.post('/login/second-factor', { code: codes[0] })).status).toBe(200)
    await signInFully(harness, asOwner, owner)
    const users = (await asOwner.get('/users')).body.data as { id: string; email: string }[]
    const id = users.find((user) => user.email === email)?.id
    const reset = await asOwner.post(`/users/${id}/password-reset`)
    const token = (reset.body.link as string).split('#')[1] ?? ''
    expect((await client.post('/links/use', { token, password: 'another phrase of words' })).status).toBe(204)
    const began = await client.post('/login', { email, password: 'another phrase of words' })
    expect(began.body.state).toBe('second_factor')
  })
})

describe('a sign-in by passkey alone', () => {
  const path = '/login/passkey'

  test('completes a sign-in, because the device verified the user', async () => {
    const { key } = await joinWithPasskey('passwordless@example.com')
    const client = consoleClient(harness)
    const options = await begin(client, path)
    expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required', rpId: 'localhost' })
    const done = await client.post(path, { assertion: device.assert(options, key) })
    expect([done.status, done.body.state]).toEqual([200, 'full'])
    expect((await client.get('/apps')).status).toBe(200)
    expect((await client.get('/me/sessions')).body.data[0]).toMatchObject({ device: 'Chrome on Linux' })
  })

  test.each<[string, Deviation]>([
    ['without user verification', { flags: flags.up }],
    ['from another origin', { origin: 'http://127.0.0.1:8080' }],
    ['that names another user', { userHandle: Buffer.from('usr_somebodyelse').toString('base64url') }],
  ])('rejects an assertion %s', async (_, deviation) => {
    const { key } = await joinWithPasskey(`alone-${Math.abs(JSON.stringify(deviation).length)}@example.com`)
    const client = consoleClient(harness)
    const assertion = device.assert(await begin(client, path), key, deviation)
    const refused = await client.post(path, { assertion })
    expect(refused.status).toBe(401)
    expect(refused.headers['set-cookie']).toBeUndefined()
  })

  test('is rejected for an unknown credential, a disabled user and a replayed response', async () => {
    const { key, email } = await joinWithPasskey('alone-disabled@example.com')
    const client = consoleClient(harness)
    const stranger: SoftwareKey = { ...key, credentialId: Buffer.alloc(32, 9) }
    const unknown = device.assert(await begin(client, path), stranger)
    expect((await client.post(path, { assertion: unknown })).status).toBe(401)
    const assertion = device.assert(await begin(client, path), key)
    expect((await client.post(path, { assertion })).status).toBe(200)
    expect((await consoleClient(harness).post(path, { assertion })).status).toBe(401)
    await signInFully(harness, asOwner, owner)
    const users = (await asOwner.get('/users')).body.data as { id: string; email: string }[]
    const id = users.find((user) => user.email === email)?.id
    await asOwner.patch(`/users/${id}`, { disabled: true })
    const disabled = device.assert(await begin(client, path), key)
    expect((await client.post(path, { assertion: disabled })).status).toBe(401)
  })

  test('an address has at most 30 open challenges; other addresses and known browsers are not affected', async () => {
    const { client } = await joinWithPasskey('known-browser@example.com')
    expect((await client.get('/me')).status).toBe(200)
    const knownBrowser = client.jar.browser
    const flood = consoleClient(harness, '2001:db8:1:2::7')
    for (let asked = 0; asked < 30; asked++) await flood.post('/login/passkey/options')
    const refused = await flood.post('/login/passkey/options')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '300'])
    const neighbour = consoleClient(harness, '2001:db8:1:2::8')
    expect((await neighbour.post('/login/passkey/options')).status).toBe(429)
    // A browser that has signed in before is limited by itself; a cookie that a caller invented is not known.
    const known = consoleClient(harness, '2001:db8:1:2::8')
    known.jar.browser = knownBrowser
    expect((await known.post('/login/passkey/options')).status).toBe(200)
    neighbour.jar.browser = `kyc_console_browser=${'a'.repeat(43)}`
    expect((await neighbour.post('/login/passkey/options')).status).toBe(429)
    const elsewhere = consoleClient(harness, '2001:db8:1:3::7')
    expect((await elsewhere.post('/login/passkey/options')).status).toBe(200)
    harness.clock.advance({ minutes: 5 })
    expect((await flood.post('/login/passkey/options')).status).toBe(200)
  })
})

describe('managing passkeys', () => {
  test('re-authentication accepts a passkey in place of password and code, and permits protected actions', async () => {
    const { client, key } = await joinWithPasskey('again@example.com')
    harness.clock.advance({ minutes: 6 })
    const refused = await client.post('/me/passkeys/options')
    expect([refused.status, refused.headers[consoleHeaders.reauthenticate]]).toEqual([403, 'required'])
    const path = '/me/reauthenticate/passkey'
    const bad = device.assert(await begin(client, path), key, { flags: flags.up })
    expect((await client.post(path, { assertion: bad })).status).toBe(422)
    expect((await client.post('/me/passkeys/options')).status).toBe(403)
    const before = client.jar.cookie
    const assertion = device.assert(await begin(client, path), key)
    expect((await client.post(path, { assertion })).status).toBe(200)
    expect(client.jar.cookie).not.toBe(before)
    expect((await client.post('/me/passkeys/options')).status).toBe(200)
  })

  test('lists, renames and removes; a removed passkey no longer signs in, and every other session ends', async () => {
    const { client, key, id, email } = await joinWithPasskey('manager@example.com')
    const renamed = await client.patch(`/me/passkeys/${id}`, { name: 'Old laptop' })
    expect(renamed.body).toMatchObject({ id, name: 'Old laptop' })
    expect((await client.patch(`/me/passkeys/${id}`, { name: 'two\nlines' })).status).toBe(400)
    const phone = await register(client, 'Phone')
    const other = await passwordGiven(email)
    const path = '/login/second-factor/passkey'
    await other.post(path, { assertion: device.assert(await begin(other, path), phone.key) })
    expect((await other.get('/apps')).status).toBe(200)
    harness.clock.advance({ minutes: 6 })
    const early = await client.delete(`/me/passkeys/${id}`)
    expect([early.status, early.headers[consoleHeaders.reauthenticate]]).toEqual([403, 'required'])
    const again = device.assert(await begin(client, '/me/reauthenticate/passkey'), phone.key)
    expect((await client.post('/me/reauthenticate/passkey', { assertion: again })).status).toBe(200)
    expect((await client.delete(`/me/passkeys/${id}`)).status).toBe(204)
    expect((await client.delete(`/me/passkeys/${id}`)).status).toBe(404)
    expect((await other.get('/apps')).status).toBe(401)
    const visitor = consoleClient(harness)
    const removed = device.assert(await begin(visitor, '/login/passkey'), key)
    expect((await visitor.post('/login/passkey', { assertion: removed })).status).toBe(401)
    expect((await client.get('/me/passkeys')).body.data.map(({ name }: { name: string }) => name)).toEqual([
      'Phone',
    ])
  })

  test('the only second factor cannot be removed, nor can both of two concurrently', async () => {
    const { client, id } = await joinWithPasskey('only@example.com')
    expect((await client.delete(`/me/passkeys/${id}`)).status).toBe(409)
    const second = await register(client, 'Second')
    const both = [id, second.reply.body.passkey.id as string]
    const statuses = await Promise.all(
      both.map(async (one) => (await client.delete(`/me/passkeys/${one}`)).status),
    )
    expect(statuses.sort()).toEqual([204, 409])
    expect((await client.get('/me')).body).toMatchObject({ state: 'full', second_factor: { passkeys: 1 } })
  })

  test('a passkey of another user can be neither renamed nor removed', async () => {
    const theirs = await joinWithPasskey('theirs@example.com')
    const mine = await joinWithPasskey('mine@example.com')
    expect((await mine.client.patch(`/me/passkeys/${theirs.id}`, { name: 'Mine' })).status).toBe(404)
    expect((await mine.client.delete(`/me/passkeys/${theirs.id}`)).status).toBe(404)
    expect((await theirs.client.get('/me/passkeys')).body.data).toMatchObject([{ name: 'Laptop' }])
  })

  test('an owner who removes the factors of a user removes passkeys and recovery codes and ends sessions', async () => {
    const { client, key, email, codes } = await joinWithPasskey('robbed@example.com')
    await signInFully(harness, asOwner, owner)
    const users = (await asOwner.get('/users')).body.data as {
      id: string
      email: string
      second_factors: object
    }[]
    const user = users.find((one) => one.email === email)
    expect(user?.second_factors).toEqual({ authenticator_app: false, passkeys: 1 })
    expect((await asOwner.delete(`/users/${user?.id}/second-factor`)).status).toBe(204)
    expect((await client.get('/me')).status).toBe(401)
    const assertion = device.assert(await begin(client, '/login/passkey'), key)
    expect((await client.post('/login/passkey', { assertion })).status).toBe(401)
    expect((await client.post('/login', { email, password })).body.state).toBe('enrolment')
    expect((await client.post('/login/second-factor', { code: codes[0] })).status).toBe(409)
  })
})

test('the audit log has every action by id, and no name or e-mail address of a person', async () => {
  const { actions, text } = await auditedBy(harness)
  for (const action of [
    'user.passkey_added',
    'user.passkey_renamed',
    'user.passkey_removed',
    'user.passkey_clone_suspected',
    'user.reauthenticated',
    'user.second_factor_removed',
  ])
    expect(actions).toContain(action)
  for (const personal of ['example.com', 'Laptop', 'Security key', owner.secret])
    expect(text).not.toContain(personal)
})
