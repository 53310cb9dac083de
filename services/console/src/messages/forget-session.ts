import { type EventMessage, inbox, type Outbox } from '@kyc/bus'
import { sessionPurgeConfirmed, type sessionPurged } from '@kyc/common'
import { countReferences, type Database, expectNoReferences } from '@kyc/runtime'

/** The console keeps nothing of a person: it looks whether that is so, and confirms it. */
export async function forgetSession(
  { database, outbox }: { database: Database; outbox: Outbox },
  { id, payload, traceparent }: EventMessage<typeof sessionPurged>,
): Promise<void> {
  const { app_id, session_id } = payload
  await database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'console.session.purged', id))) return
    const remaining = await countReferences(tx, session_id)
    expectNoReferences('console', remaining)
    await outbox.append(
      tx,
      sessionPurgeConfirmed,
      { app_id, session_id, service: 'console', deleted: {}, remaining },
      { orderingKey: session_id, traceparent },
    )
  })
}
