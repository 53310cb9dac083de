import { type reviewSession as contract, sealContexts } from '@kyc/common'
import { z } from 'zod'
import type { Operations } from './context.ts'
import { decideSession } from './decide-session.ts'
import { orWhoWasFirst } from './lost-change.ts'

type Request = z.output<typeof contract.request>
type Answer = z.input<typeof contract.response>

/** A console user's decision. On a conflict, returns who decided first. */
export async function reviewSession(operations: Operations, request: Request): Promise<Answer> {
  return orWhoWasFirst(operations, request, async () => {
    const { by, app_id, session_id } = request
    await decideSession(operations, {
      app_id,
      session_id,
      status: request.status,
      sequence: request.sequence,
      reason: request.reason,
      note: await openNote(operations, request, request.sealed_note),
      reviewed_by: by.user_id,
      api_key_id: null,
      ip: by.ip,
    })
    return { outcome: 'done' as const }
  })
}

/** Opens a note as received over the bus. */
export async function openNote(
  operations: Operations,
  { app_id, session_id }: { app_id: string; session_id: string },
  sealed: string | null,
): Promise<string | null> {
  if (sealed === null) return null
  const bytes = Buffer.from(sealed, 'base64')
  return z.string().parse(await operations.vault.open({ app_id, session_id }, sealContexts.note, bytes))
}
