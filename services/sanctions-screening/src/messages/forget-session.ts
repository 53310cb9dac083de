import { createOutbox, type EventMessage, inbox } from '@kyc/bus'
import { sessionPurgeConfirmed, type sessionPurged } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import type { MonitoredSessions } from '../store/monitored-sessions.ts'

/** Deletes what is kept of a purged session and confirms it. */
export async function forgetSession(
  deps: ServiceDeps,
  monitored: MonitoredSessions,
  { id, payload, traceparent }: EventMessage<typeof sessionPurged>,
): Promise<void> {
  const { app_id, session_id } = payload
  const outbox = createOutbox({ clock: deps.clock })
  await deps.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'sanctions-screening.session.purged', id))) return
    const rows = await monitored.forget(tx, { app_id, session_id })
    await outbox.append(
      tx,
      sessionPurgeConfirmed,
      { app_id, session_id, service: 'sanctions-screening', deleted: { monitored_sessions: rows } },
      { orderingKey: session_id, traceparent },
    )
  })
}
