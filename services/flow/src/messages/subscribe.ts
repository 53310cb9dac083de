import { type Bus, inbox } from '@kyc/bus'
import { findFlowLinks, sessionPurgeConfirmed, sessionPurged } from '@kyc/common'
import { expectNoReferences } from '@kyc/runtime'
import type { Operations } from '../operations/context.ts'
import { findLinks } from '../operations/find-links.ts'
import { deleteSession, remainingOfSession } from '../store/purge.ts'

/** A purged session leaves nothing here but its funnel events. */
export function subscribe(bus: Bus, operations: Operations): void {
  const { database, outbox } = operations
  bus.respond(findFlowLinks, async ({ token_sha256 }) => ({
    known: await findLinks(operations, token_sha256),
  }))
  bus.subscribe(sessionPurged, {
    service: 'flow',
    handle: async ({ id, payload: { app_id, session_id } }) => {
      await database.transaction(async (tx) => {
        if (!(await inbox.claim(tx, 'flow.session.purged', id))) return
        const deleted = await deleteSession(tx, session_id)
        const remaining = await remainingOfSession(tx, session_id)
        expectNoReferences('flow', remaining)
        await outbox.append(
          tx,
          sessionPurgeConfirmed,
          { app_id, session_id, service: 'flow', deleted, remaining },
          { orderingKey: session_id },
        )
      })
    },
  })
}
