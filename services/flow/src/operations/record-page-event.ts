import { type FlowSession, flowProgressed, toTimestamp } from '@kyc/common'
import { insertFlowEvent } from '../store/flow-events.ts'
import { type Operations, scopeOf } from './context.ts'

/** Records a page event, such as a denied camera. Publishes the first of each name per session. */
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
