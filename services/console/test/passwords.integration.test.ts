import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { setUpApp } from '@kyc/common'
import { type ServiceHarness, startService } from '@kyc/testing'
import { consoleSchema, consoleService } from '../src/service.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol, signInFully } from './console-client.ts'
import { answerAsNeighbours, settings } from './neighbours.ts'
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

/** A different IP address for each attempt, so that throttling does not affect the result. */
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
  const { secret } = await signInAndEnrol(harness, consoleClient(harness), email, password)
  harness.clock.advance({ hours: 3 * 365 * 24 })
  const client = consoleClient(harness)
  await signInFully(harness, client, { email, password, secret })
  expect((await client.get('/apps')).status).toBe(200)
})

test('the first owner gets a random password, in the response of the set-up only, and no account exists before', async () => {
  const request = {
    name: 'Example',
    environment: 'test',
    webhook_url: null,
    owner_email: 'first@example.com',
  } as const
  const passwords = new Set<string>()
  for (let installation = 0; installation < 2; installation++) {
    const fresh = await startService('console', consoleSchema, (deps) => consoleService(deps, settings), {
      before: answerAsNeighbours,
    })
    try {
      const users = () => fresh.database.query<{ email: string }>('SELECT * FROM console_user')
      expect((await users()).rows).toEqual([])
      const { owner: first } = await fresh.bus.request(setUpApp, request)
      expect(first?.password).toMatch(/^[A-Za-z0-9]{24}$/)
      passwords.add(first?.password ?? '')
      expect(JSON.stringify((await users()).rows)).not.toContain(first?.password)
      // Setting up another app later creates no second owner.
      expect((await fresh.bus.request(setUpApp, { ...request, name: 'Second' })).owner).toBeNull()
      expect((await users()).rows).toHaveLength(1)
    } finally {
      await fresh.close()
    }
  }
  expect(passwords.size).toBe(2)
})

test('an account and a sign-in have no password hint and no security question', async () => {
  const { rows } = await harness.database.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns WHERE table_schema = 'console'`,
  )
  const columns = rows.map(({ column_name }) => column_name)
  expect(columns).toContain('password_hash')
  expect(columns.filter((name) => /hint|question|answer/.test(name))).toEqual([])
})
