import { type EventMessage, inbox } from '@kyc/bus'
import { sessionPurgeConfirmed, type sessionPurged } from '@kyc/common'
import { countReferences, expectNoReferences } from '@kyc/runtime'
import { deleteMatchVerdicts } from '../store/match-verdicts.ts'
import { deleteMonitoredSession } from '../store/monitored-sessions.ts'
import type { ScreeningDeps } from './deps.ts'

/** Deletes everything stored for a purged session and publishes `session.purge_confirmed`. */
export async function purgeSession(
  { database, outbox }: ScreeningDeps,
  { id, payload, traceparent }: EventMessage<typeof sessionPurged>,
): Promise<void> {
  const { app_id, session_id } = payload
  await database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'sanctions-screening.session.purged', id))) return
    const deleted = {
      monitored_sessions: await deleteMonitoredSession(tx, { app_id, session_id }),
      match_verdicts: await deleteMatchVerdicts(tx, { app_id, session_id }),
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
