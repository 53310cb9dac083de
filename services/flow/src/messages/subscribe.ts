import { type Bus, createConsumer } from '@kyc/bus'
import { consumePurges } from '@kyc/host'
import type { Operations } from '../operations/context.ts'
import { deleteSession, retainedTables } from '../store/purge.ts'

const service = 'flow'

/** The events that this service consumes. */
export function subscribe(bus: Bus, { database, outbox }: Operations): void {
  consumePurges(createConsumer({ service, bus, database, outbox }), {
    service,
    deleteSession: (tx, { session_id }) => deleteSession(tx, session_id),
    retained: retainedTables,
  })
}
