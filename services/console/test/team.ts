import { type ConsoleRole, setUpApp } from '@kyc/common'
import { type ServiceHarness, startService } from '@kyc/testing'
import { consoleSchema, consoleService } from '../src/service.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol, signInFully } from './console-client.ts'
import { answerAsNeighbours, settings } from './neighbours.ts'

/** The password of everyone who joins. */
export const password = 'a long enough phrase of words'

export type Owner = { email: string; password: string; secret: string; recovery_codes: string[] }
export type Team = {
  harness: ServiceHarness
  owner: Owner
  asOwner: ConsoleClient
  /** Invites a user, accepts, and returns the credentials. The user has no second factor yet. */
  join(role: ConsoleRole, email: string): Promise<Joined>
  /** Like `join`, but signed in with an authenticator app. */
  joinFully(role: ConsoleRole, email: string): Promise<Joined & { secret: string; password: string }>
}
type Joined = { client: ConsoleClient; token: string; email: string }

/** A console with one app and its first owner, signed in. */
export async function startTeam(): Promise<Team> {
  const harness = await startService('console', consoleSchema, (deps) => consoleService(deps, settings), {
    before: answerAsNeighbours,
  })
  const made = await harness.bus.request(setUpApp, {
    name: 'Example',
    environment: 'test',
    webhook_url: null,
    owner_email: 'Owner@example.com',
  })
  if (!made.owner) throw new Error('no owner was made')
  const asOwner = consoleClient(harness)
  const enrolled = await signInAndEnrol(harness, asOwner, made.owner.email, made.owner.password)
  const owner = { ...made.owner, ...enrolled }
  const join: Team['join'] = async (role, email) => {
    await signInFully(harness, asOwner, owner)
    const invited = await asOwner.post('/users/invitations', { email, role })
    if (invited.status !== 201) throw new Error(`not invited: ${invited.text}`)
    const token = (invited.body.link as string).split('#')[1] ?? ''
    const client = consoleClient(harness)
    const used = await client.post('/links/use', { token, password })
    if (used.status !== 204) throw new Error(`not let in: ${used.text}`)
    return { client, token, email }
  }
  const joinFully: Team['joinFully'] = async (role, email) => {
    const joined = await join(role, email)
    const { secret } = await signInAndEnrol(harness, joined.client, email, password)
    return { ...joined, secret, password }
  }
  return { harness, owner, asOwner, join, joinFully }
}

/** The actions in the audit log, and the whole log as text. */
export async function auditedBy(harness: ServiceHarness) {
  await harness.drain()
  const { rows } = await harness.database.query<{ action: string }>('SELECT * FROM audit_entry ORDER BY seq')
  return { actions: new Set(rows.map((row) => row.action)), text: JSON.stringify(rows) }
}
