import type { PurgeScope } from '@kyc/host'
import type { Sql } from '@kyc/runtime'
import type { SessionChecks } from './context.ts'

/** Deletes every row of a purged session and returns the count by kind. */
export async function deleteSession(
  { sides, fingerprints, visits }: SessionChecks,
  tx: Sql,
  scope: PurgeScope,
): Promise<Record<string, number>> {
  return {
    document_sides: await sides.forget(tx, scope),
    document_fingerprints: await fingerprints.forget(tx, scope),
    client_visits: await visits.forget(tx, scope),
  }
}
