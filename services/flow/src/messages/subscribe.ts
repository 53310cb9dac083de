import { type Bus, createConsumer } from '@kyc/bus'
import { findFlowLinks } from '@kyc/common'
import { consumePurges } from '@kyc/host'
import type { Operations } from '../operations/context.ts'
import { findLinks } from '../operations/find-links.ts'
import { deleteSession, retainedTables } from '../store/purge.ts'

const service = 'flow'

/** The events that this service consumes and the requests that it handles. */
export function subscribe(bus: Bus, operations: Operations): void {
  const { database, outbox } = operations
  bus.respond(findFlowLinks, async ({ token_sha256 }) => ({
    known: await findLinks(operations, token_sha256),
  }))
  consumePurges(createConsumer({ service, bus, database, outbox }), {
    service,
    deleteSession: (tx, { session_id }) => deleteSession(tx, session_id),
    retained: retainedTables,
  })
}
