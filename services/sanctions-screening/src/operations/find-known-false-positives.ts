import { type AmlMatch, type Identity, toTimestamp } from '@kyc/common'
import type { ListSnapshot } from '../serving/active-lists.ts'
import { entityVersion } from '../serving/entity-versions.ts'
import { listFalsePositives } from '../store/match-verdicts.ts'
import type { ScreeningDeps } from './deps.ts'
import { personHash } from './person-hash.ts'

/**
 * The matches that a reviewer of the same app has marked as false positives for the same person, by match id. A verdict
 * applies to one version of the entity only: a changed entry must be reviewed again.
 */
export async function findKnownFalsePositives(
  deps: Pick<ScreeningDeps, 'vault' | 'database'>,
  snapshot: ListSnapshot,
  appId: string,
  identity: Identity,
  matches: readonly AmlMatch[],
): Promise<Map<string, { reviewed_at: string }>> {
  const known = new Map<string, { reviewed_at: string }>()
  if (matches.length === 0) return known
  const hash = await personHash(deps, appId, identity)
  if (hash === null) return known
  for (const verdict of await listFalsePositives(deps.database, appId, hash)) {
    const list = snapshot.lists.find(({ id }) => id === verdict.list)
    const match = matches.find((item) => item.list === verdict.list && item.entity_id === verdict.entity_id)
    if (list === undefined || match === undefined) continue
    if (entityVersion(list, verdict.entity_id) !== verdict.entity_version) continue
    known.set(match.match_id, { reviewed_at: toTimestamp(verdict.reviewed_at) })
  }
  return known
}
