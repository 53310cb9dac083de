import type { setUpApp as contract } from '@kyc/common'
import { newId, randomText } from '@kyc/runtime'
import type { z } from 'zod'
import { activeOwners, insertUser } from '../store/users.ts'
import { type Actor, audit, type Operations } from './context.ts'
import { createApp } from './create-app.ts'
import { hashPassword } from './passwords.ts'

type Request = z.output<typeof contract.request>
type Answer = z.input<typeof contract.response>

const setUp: Actor = { type: 'system', id: 'set_up', ip: null }

/** The first app of an installation, and its first owner. */
export async function setUpApp(operations: Operations, request: Request): Promise<Answer> {
  const made = await createApp(operations, setUp, request)
  return {
    app_id: made.app.app_id,
    api_key: made.api_key,
    webhook_secret: made.webhook_secret,
    workflow_id: made.workflow_id,
    owner: await createFirstOwner(operations, request.owner_email),
  }
}

/** Only while there is no owner, because later owners are invited by an owner. */
async function createFirstOwner(
  { database, clock }: Operations,
  email: string,
): Promise<{ email: string; password: string } | null> {
  if ((await activeOwners(database)).length > 0) return null
  const password = randomText(24)
  const password_hash = await hashPassword(password)
  const id = newId('user')
  await database.transaction(async (tx) => {
    await insertUser(tx, {
      id,
      email,
      name: null,
      role: 'owner',
      app_ids: null,
      password_hash,
      now: clock.now(),
    })
    await audit(tx, clock, setUp, {
      app_id: null,
      action: 'user.joined',
      target: id,
      details: { role: 'owner' },
    })
  })
  return { email, password }
}
