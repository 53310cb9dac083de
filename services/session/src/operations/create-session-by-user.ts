import { type createSessionByUser as contract, createSessionContents, sealContexts } from '@kyc/common'
import type { z } from 'zod'
import { insertSession } from '../store/sessions.ts'
import { actorOf, recordAudit } from './audit.ts'
import type { Operations } from './context.ts'
import { createSession } from './create-session.ts'

type Request = z.output<typeof contract.request>

/**
 * Creates a session from the console. Request body and link are sealed with the app's key, because the session has no
 * key yet.
 */
export async function createSessionByUser(
  operations: Operations,
  { app_id, environment, by, sealed_body }: Request,
): Promise<{ sealed_created: string }> {
  const { vault, database } = operations
  const bytes = Buffer.from(sealed_body, 'base64')
  const body = createSessionContents.parse(await vault.openForApp(app_id, sealContexts.session_body, bytes))
  const created = await database.transaction(async (tx) => {
    const request = { app_id, environment, created_via: 'console', created_by: actorOf(by), body } as const
    const made = await createSession(operations, (row) => insertSession(tx, row), request)
    const session = { app_id, session_id: made.session_id }
    await recordAudit(operations, tx, session, actorOf(by), 'session.created', {}, by.ip)
    return made
  })
  const sealed = await vault.sealForApp(app_id, sealContexts.session_link, created)
  return { sealed_created: sealed.toString('base64') }
}
