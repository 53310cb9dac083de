import { type FlowSession, flowProgressed, toTimestamp } from '@kyc/common'
import { insertFlowEvent } from '../store/flow-events.ts'
import { type Operations, scopeOf } from './context.ts'

/** Keeps what the page met, such as a denied camera; the first of each name in a session is told. */
export async function recordPageEvent(
  operations: Operations,
  session: FlowSession,
  name: string,
): Promise<void> {
  const at = operations.clock.now()
  await operations.database.transaction(async (tx) => {
    if (!(await insertFlowEvent(tx, session, name, at))) return
    await operations.outbox.append(
      tx,
      flowProgressed,
      {
        ...scopeOf(session),
        round: session.round,
        kind: 'page_event',
        name,
        attempts_used: 0,
        occurred_at: toTimestamp(at),
      },
      { orderingKey: session.session_id },
    )
  })
}
