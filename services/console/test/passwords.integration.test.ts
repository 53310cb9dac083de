import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ServiceHarness } from '@kyc/testing'
import { type ConsoleClient, consoleClient, signInFully } from './console-client.ts'
import { type Owner, startTeam } from './team.ts'

let harness: ServiceHarness
let owner: Owner
let asOwner: ConsoleClient

beforeAll(async () => {
  ;({ harness, owner, asOwner } = await startTeam())
})
afterAll(() => harness.close())

async function join(email: string, password: string) {
  await signInFully(harness, asOwner, owner)
  const invited = await asOwner.post('/users/invitations', { email, role: 'reviewer' })
  const token = (invited.body.link as string).split('#')[1] ?? ''
  expect((await consoleClient(harness).post('/links/use', { token, password })).status).toBe(204)
}

/** Each attempt from an address of its own, so that the throttle has no part in the answer. */
let address = 0
const signIn = async (email: string, password: string) =>
  (await consoleClient(harness, `192.0.2.${++address}`).post('/login', { email, password })).status

describe('a password is verified exactly as typed', () => {
  test.each<[string, string, (typed: string) => string]>([
    ['spaces at either end', '  seven quiet herons wait  ', (typed) => typed.trim()],
    ['upper and lower case', 'Seven Quiet Herons Wait', (typed) => typed.toLowerCase()],
    [
      'the characters after the 72nd byte',
      `${'seven quiet herons '.repeat(6)}wait`,
      (typed) => typed.slice(0, -1),
    ],
    [
      'the last of 200 characters',
      'q7Z!m2'.repeat(34).slice(0, 200).replace(/..$/, '#x'),
      (typed) => typed.slice(0, 199),
    ],
    ['letters outside ASCII', 'sieben Rehe hören Ümläute', (typed) => typed.normalize('NFD')],
  ])('with %s', async (name, typed, change) => {
    const email = `${name.replace(/[^a-z]+/gi, '-')}@example.com`
    await join(email, typed)
    expect(await signIn(email, typed)).toBe(200)
    expect(change(typed)).not.toBe(typed)
    expect(await signIn(email, change(typed))).toBe(401)
  })
})

test('a password does not expire', async () => {
  const [email, password] = ['unchanged@example.com', 'seven quiet herons wait']
  await join(email, password)
  harness.clock.advance({ hours: 3 * 365 * 24 })
  const client = consoleClient(harness)
  expect((await client.post('/login', { email, password })).body.state).toBe('full')
  expect((await client.get('/apps')).status).toBe(200)
})

test('an account and a sign-in have no password hint and no secret question', async () => {
  const { rows } = await harness.database.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns WHERE table_schema = 'console'`,
  )
  const columns = rows.map(({ column_name }) => column_name)
  expect(columns).toContain('password_hash')
  expect(columns.filter((name) => /hint|question|answer/.test(name))).toEqual([])
})
