import { inbox } from '@kyc/bus'
import { sessionPurgeConfirmed } from '@kyc/common'
import { expectNoReferences } from '@kyc/runtime'
import { type Scope, scopeOf } from '../domain/session-scope.ts'
import { deleteSession, remainingOfSession } from '../store/purge.ts'
import type { Operations } from './context.ts'

/** Deletes what is kept of a purged session, in the tables and in memory, and confirms it. */
export async function forgetSession(
  operations: Operations,
  messageId: string,
  session: Scope,
  traceparent: string | undefined,
): Promise<void> {
  const scope = scopeOf(session)
  await operations.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'face-biometrics.session.purged', messageId))) return
    const deleted = await deleteSession(tx, scope)
    const remaining = await remainingOfSession(tx, scope.session_id)
    expectNoReferences('face-biometrics', remaining)
    await operations.outbox.append(
      tx,
      sessionPurgeConfirmed,
      { ...scope, service: 'face-biometrics', deleted, remaining },
      { orderingKey: scope.session_id, ...(traceparent ? { traceparent } : {}) },
    )
  })
  operations.gallery.forget(scope.app_id, scope.session_id)
}
