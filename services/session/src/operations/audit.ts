import { auditRecorded, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { Operations } from './context.ts'

/** A console user and their IP address. */
export type ActingUser = { user_id: string; ip: string | null }

/** Who performed the action. An id, never a name. */
export type Actor = { type: 'user' | 'api_key' | 'system' | 'end_user'; id: string | null }

/** Writes an audit event in the transaction of the audited action. */
export async function recordAudit(
  { outbox, clock }: Pick<Operations, 'outbox' | 'clock'>,
  tx: Sql,
  session: { app_id: string; session_id: string },
  actor: Actor,
  action: string,
  details: Record<string, string | number | boolean | null> = {},
  ip: string | null = null,
): Promise<void> {
  await outbox.append(
    tx,
    auditRecorded,
    {
      app_id: session.app_id,
      at: toTimestamp(clock.now()),
      actor,
      action,
      target: session.session_id,
      ip,
      details,
    },
    { orderingKey: session.session_id },
  )
}

export const actorOf = (by: ActingUser): Actor => ({ type: 'user', id: by.user_id })
