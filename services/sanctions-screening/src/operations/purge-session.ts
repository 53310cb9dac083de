import type { PurgeScope } from '@kyc/host'
import type { Sql } from '@kyc/runtime'
import { deleteMatchVerdicts } from '../store/match-verdicts.ts'
import { deleteMonitoredSession } from '../store/monitored-sessions.ts'

/** Deletes everything stored for a purged session; returns the count of each kind. */
export async function purgeSession(tx: Sql, scope: PurgeScope): Promise<Record<string, number>> {
  return {
    monitored_sessions: await deleteMonitoredSession(tx, scope),
    match_verdicts: await deleteMatchVerdicts(tx, scope),
  }
}
