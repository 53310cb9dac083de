import type { Consumer } from '@kyc/bus'
import { type PurgeParticipant, sessionPurgeConfirmed, sessionPurged } from '@kyc/common'
import { countReferences, expectNoReferences, type Sql } from '@kyc/runtime'

export type PurgeScope = { app_id: string; session_id: string }

/**
 * Deletes what a service stores of a purged session and confirms it, in one transaction. The confirmation lists what
 * was deleted and states that no row remains; remaining rows are an error, and the message is retried.
 */
export function consumePurges(
  consumer: Consumer,
  purge: {
    service: PurgeParticipant
    /** Deletes the rows; returns the count of each kind. */
    deleteSession?(tx: Sql, scope: PurgeScope): Promise<Record<string, number>>
    /** Tables whose rows are retained as the record of a purged session; see `countReferences`. */
    retained?: Readonly<Record<string, string | null>>
    /** Removes what is cached in memory. */
    afterCommit?(scope: PurgeScope): void
  },
): void {
  const { service, deleteSession, retained, afterCommit } = purge
  consumer.consume(sessionPurged, {
    handle: async (tx, { payload: { app_id, session_id }, publish }) => {
      const deleted = (await deleteSession?.(tx, { app_id, session_id })) ?? {}
      const remaining = await countReferences(tx, session_id, retained)
      expectNoReferences(service, remaining)
      await publish(
        sessionPurgeConfirmed,
        { app_id, session_id, service, deleted, remaining },
        { orderingKey: session_id },
      )
    },
    ...(afterCommit ? { afterCommit: ({ payload }) => afterCommit(payload) } : {}),
  })
}
