import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { recoverOwner } from '@kyc/common'
import type { ServiceHarness } from '@kyc/testing'
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

  test('a rejected password does not use up the link', async () => {
    await signInFully(harness, asOwner, owner)
    const invited = await asOwner.post('/users/invitations', { email: 'weak@example.com', role: 'reviewer' })
    const token = (invited.body.link as string).split('#')[1] ?? ''
    const client = consoleClient(harness)
    expect((await client.post('/links/use', { token, password: 'password1234' })).status).toBe(422)
    expect((await client.post('/links/use', { token, password: 'short' })).status).toBe(400)
    expect((await client.post('/links/use', { token, password })).status).toBe(204)
  })

  test('of two concurrent uses of one link, one succeeds', async () => {
    await signInFully(harness, asOwner, owner)
    const invited = await asOwner.post('/users/invitations', { email: 'race@example.com', role: 'reviewer' })
    const token = (invited.body.link as string).split('#')[1] ?? ''
    const use = () => consoleClient(harness).post('/links/use', { token, password })
    const statuses = (await Promise.all([use(), use(), use()])).map((reply) => reply.status)
    expect(statuses.sort()).toEqual([204, 404, 404])
  })

  test('a reset sets the password, ends the sessions and leaves the second factor', async () => {
    const { email, client, secret } = await joinFully('admin', 'forgetful@example.com')
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

  test('a reset gets the same response for an unknown address as for a known one', async () => {
    const client = consoleClient(harness, '203.0.113.90')
    const known = await client.post('/password-reset', { email: owner.email })
    const unknown = await client.post('/password-reset', { email: 'nobody@example.com' })
    expect([known.status, unknown.status]).toEqual([204, 204])
  })
})

describe('users', () => {
  test('the sessions of a disabled user end at once, and the user cannot sign in again', async () => {
    const { client, email } = await joinFully('reviewer', 'leaver@example.com')
    expect((await client.get('/apps')).status).toBe(200)
    await signInFully(harness, asOwner, owner)
    const users = (await asOwner.get('/users')).body.data as { id: string; email: string }[]
    const id = users.find((user) => user.email === email)?.id
    expect((await asOwner.patch(`/users/${id}`, { disabled: true })).status).toBe(200)
    expect((await client.get('/apps')).status).toBe(401)
    expect((await client.post('/login', { email, password })).status).toBe(401)
  })

  test('an admin manages reviewers only, and a changed role ends the sessions', async () => {
    const admin = await joinFully('admin', 'admin@example.com')
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

    const reviewer = await joinFully('reviewer', 'riser@example.com')
    const id = ((await asOwner.get('/users')).body.data as { id: string; email: string }[]).find(
      (user) => user.email === reviewer.email,
    )?.id
    expect((await admin.client.patch(`/users/${id}`, { role: 'admin' })).status).toBe(403)
    expect((await asOwner.patch(`/users/${id}`, { role: 'admin' })).body.role).toBe('admin')
    expect((await reviewer.client.get('/me')).status).toBe(401)
  })

  test('the only owner can be neither disabled nor demoted', async () => {
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

  test('changing the password requires the current one, rejects common ones and ends every other session', async () => {
    const person = await joinFully('reviewer', 'changer@example.com')
    const { client } = person
    const other = consoleClient(harness)
    await signInFully(harness, other, person)
    const change = (current_password: string, new_password: string) =>
      client.post('/me/password', { current_password, new_password })
    expect((await change('wrong wrong wrong', 'something else entirely')).status).toBe(422)
    expect((await change(password, 'Password123456')).status).toBe(422)
    expect((await change(password, 'something else entirely')).status).toBe(200)
    expect((await client.get('/me')).status).toBe(200)
    expect((await other.get('/me')).status).toBe(401)
  })
})

test('an operator can restore access for an owner who lost password and factors, and for nobody else', async () => {
  const lost = await joinFully('owner', 'lost@example.com')
  const recovered = await harness.bus.request(recoverOwner, { email: 'LOST@example.com' })
  expect((await lost.client.get('/me')).status).toBe(401)
  expect((await lost.client.post('/login', { email: lost.email, password })).status).toBe(401)
  const began = await lost.client.post('/login', recovered)
  expect(began.body.state).toBe('enrolment')
  for (const email of ['nobody@example.com', 'changer@example.com'])
    await expect(harness.bus.request(recoverOwner, { email })).rejects.toMatchObject({ code: 'not_found' })
})

test('the audit log has every action by id, and no password, e-mail address or code', async () => {
  const { actions, text } = await auditedBy(harness)
  for (const action of [
    'user.invited',
    'user.joined',
    'user.password_reset',
    'user.password_changed',
    'user.changed',
  ])
    expect(actions).toContain(action)
  for (const personal of ['example.com', owner.password, password, owner.secret, owner.recovery_codes[0]])
    expect(text).not.toContain(personal)
})
