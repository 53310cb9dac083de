import type { ClaimedMessage } from '@kyc/bus'
import type { flowProgressed } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { flowProgress, insertEvent } from '../store/session-events.ts'
import { findSession } from '../store/sessions.ts'

/** Records progress in the flow: a completed step with its duration, or the first occurrence of each page event. */
export async function recordFlowProgress(
  tx: Sql,
  { payload }: ClaimedMessage<typeof flowProgressed>,
): Promise<void> {
  const session = await findSession(tx, payload.app_id, payload.session_id)
  if (!session || session.purged_at) return
  const at = new Date(payload.occurred_at)
  const before = await flowProgress(tx, session.session_id, payload)
  const common = { name: payload.name, round: payload.round, first: !before.seen }
  const details =
    payload.kind === 'page_event'
      ? common
      : {
          ...common,
          attempts_used: payload.attempts_used,
          seconds: before.last_at
            ? Math.max(0, Math.round((at.getTime() - before.last_at.getTime()) / 1000))
            : null,
        }
  await insertEvent(tx, session, {
    kind: payload.kind,
    actor: { type: 'end_user', id: null },
    details,
    at,
  })
}
