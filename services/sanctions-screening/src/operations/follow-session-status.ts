import type { EventMessage } from '@kyc/bus'
import type { sessionStatusChanged } from '@kyc/common'
import { deleteMonitoredSession, setMonitoredSessionActive } from '../store/monitored-sessions.ts'
import type { ScreeningDeps } from './deps.ts'
import { openMonitoredIdentity } from './open-monitored-identity.ts'
import { reportNewMatches } from './report-new-matches.ts'

/** A session in one of these statuses can never become approved. */
const finalStatuses: ReadonlySet<string> = new Set(['declined', 'expired', 'abandoned'])

/**
 * Monitors a session while it is approved. On approval, reports the matches that list updates brought before it; in a
 * final status other than approved, ends the monitoring.
 */
export async function followSessionStatus(
  deps: ScreeningDeps,
  { payload }: EventMessage<typeof sessionStatusChanged>,
): Promise<void> {
  const { database } = deps
  if (finalStatuses.has(payload.status)) {
    await deleteMonitoredSession(database, payload)
    return
  }
  const active = payload.status === 'approved'
  const pending = await setMonitoredSessionActive(database, payload, active, payload.sequence)
  if (pending === null) return
  const identity = await openMonitoredIdentity(deps, pending.session)
  if (identity !== null) {
    await reportNewMatches(deps, pending.session, identity, new Set(pending.pendingMatches))
  }
}
