import { createOutbox, type EventMessage, inbox } from '@kyc/bus'
import { sessionPurgeConfirmed, type sessionPurged } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { countReferences, expectNoReferences } from '@kyc/runtime'
import type { MatchVerdicts } from '../store/match-verdicts.ts'
import type { MonitoredSessions } from '../store/monitored-sessions.ts'

/** Deletes what is kept of a purged session and confirms it. */
export async function forgetSession(
  deps: ServiceDeps,
  monitored: MonitoredSessions,
  verdicts: MatchVerdicts,
  { id, payload, traceparent }: EventMessage<typeof sessionPurged>,
): Promise<void> {
  const { app_id, session_id } = payload
  const outbox = createOutbox({ clock: deps.clock })
  await deps.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'sanctions-screening.session.purged', id))) return
    const deleted = {
      monitored_sessions: await monitored.forget(tx, { app_id, session_id }),
      match_verdicts: await verdicts.forget(tx, { app_id, session_id }),
    }
    const remaining = await countReferences(tx, session_id)
    expectNoReferences('sanctions-screening', remaining)
    await outbox.append(
      tx,
      sessionPurgeConfirmed,
      { app_id, session_id, service: 'sanctions-screening', deleted, remaining },
      { orderingKey: session_id, traceparent },
    )
  })
}
