import { type EventMessage, inbox, type Outbox } from '@kyc/bus'
import { sessionPurgeConfirmed, type sessionPurged } from '@kyc/common'
import { type Clock, type Database, expectNoReferences } from '@kyc/runtime'
import { purgeSession, remainingOfSession } from '../store/purge.ts'

export const purgedConsumer = 'webhook-dispatcher.session.purged'

/** Strips the session's deliveries and says so. What is pending is sent, with `decision: null`. */
export async function forgetSession(
  parts: { database: Database; clock: Clock; outbox: Outbox },
  message: EventMessage<typeof sessionPurged>,
): Promise<void> {
  const { app_id, session_id } = message.payload
  await parts.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, purgedConsumer, message.id))) return
    const deleted = await purgeSession(tx, app_id, session_id, parts.clock.now())
    const remaining = await remainingOfSession(tx, session_id)
    expectNoReferences('webhook-dispatcher', remaining)
    await parts.outbox.append(
      tx,
      sessionPurgeConfirmed,
      { app_id, session_id, service: 'webhook-dispatcher', deleted, remaining },
      { orderingKey: session_id, correlationId: message.correlationId, traceparent: message.traceparent },
    )
  })
}
