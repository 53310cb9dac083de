import { type EventMessage, inbox } from '@kyc/bus'
import { sessionPurgeConfirmed, type sessionPurged } from '@kyc/common'
import { countReferences, expectNoReferences } from '@kyc/runtime'
import type { SessionChecks } from './context.ts'

/** Deletes what is kept of a purged session and confirms it. */
export async function forgetSession(
  { deps, outbox, sides, fingerprints, visits }: SessionChecks,
  { id, payload, traceparent }: EventMessage<typeof sessionPurged>,
): Promise<void> {
  const scope = { app_id: payload.app_id, session_id: payload.session_id }
  await deps.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'checks.session.purged', id))) return
    const deleted = {
      document_sides: await sides.forget(tx, scope),
      document_fingerprints: await fingerprints.forget(tx, scope),
      client_visits: await visits.forget(tx, scope),
    }
    const remaining = await countReferences(tx, scope.session_id)
    expectNoReferences('checks', remaining)
    await outbox.append(
      tx,
      sessionPurgeConfirmed,
      { ...scope, service: 'checks', deleted, remaining },
      { orderingKey: scope.session_id, traceparent },
    )
  })
}
