import { conflict, notFound, openStatuses, sessionPurged, toTimestamp } from '@kyc/common'
import { insertPurge, recordDestroyed, stripSession } from '../store/purges.ts'
import { insertEvent } from '../store/session-events.ts'
import { lockSession } from '../store/sessions.ts'
import { type Actor, recordAudit } from './audit.ts'
import { completePurge } from './complete-purge.ts'
import { type Operations, scopeOf } from './context.ts'
import { moved, writeMove } from './transition.ts'

/**
 * Marks the session as purged and clears its rows, then destroys its key and files. After the first commit no
 * personal data can be read; `runPurges` finishes what a crash interrupts. The certificate is issued when every
 * service has confirmed. `restored`: the session was purged before and a restored backup brought it back, so it is
 * purged in any status.
 */
export async function purgeSession(
  operations: Operations,
  request: { app_id: string; session_id: string; actor: Actor; ip?: string | null; restored?: boolean },
): Promise<void> {
  const first = await operations.database.transaction(async (tx) => {
    const session = await lockSession(tx, request.app_id, request.session_id)
    if (!session) throw notFound('session')
    if (session.purged_at) return false
    if (session.status === 'processing' && !request.restored)
      throw conflict('The session is processing; purge it when it is decided.')
    const now = operations.clock.now()
    if (session.status === 'processing' || openStatuses.includes(session.status)) {
      const after = moved(operations, session, {
        trigger: session.status === 'processing' ? 'ledger_replayed' : 'purged',
        to: 'expired',
        decision_reason: 'purged',
        set: { purged_at: now },
      })
      await writeMove(operations, tx, session, after, null, undefined, request.actor)
    } else {
      await tx.query('UPDATE session SET purged_at = $2, updated_at = $2 WHERE session_id = $1', [
        session.session_id,
        now,
      ])
    }
    await insertEvent(tx, session, { kind: 'purged', actor: request.actor, at: now })
    await insertPurge(tx, session, await stripSession(tx, session.session_id), now)
    await operations.outbox.append(
      tx,
      sessionPurged,
      { ...scopeOf(session), purged_at: toTimestamp(now) },
      { orderingKey: session.session_id },
    )
    const details = { status: session.status }
    await recordAudit(operations, tx, session, request.actor, 'session.purged', details, request.ip)
    return true
  })
  if (first) await destroyData(operations, request)
}

/** Destroys the session's key and files, and issues the certificate if this was the last missing part. */
export async function destroyData(
  operations: Operations,
  session: { app_id: string; session_id: string },
): Promise<void> {
  const destroyed = await operations.vault.destroy(scopeOf(session))
  await operations.database.transaction(async (tx) => {
    await recordDestroyed(tx, session.session_id, destroyed)
    await completePurge(operations, tx, session)
  })
}
