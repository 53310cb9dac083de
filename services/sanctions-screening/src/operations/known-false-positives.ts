import { type AmlMatch, type Identity, toTimestamp } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { personKey } from '../domain/screening/person-key.ts'
import { entityVersion } from '../serving/entity-versions.ts'
import type { ListSnapshot } from '../serving/serving-lists.ts'
import type { MatchVerdicts } from '../store/match-verdicts.ts'

type Deps = Pick<ServiceDeps, 'vault' | 'database'>

/** Hash of a person, comparable within one app only. Null without a name. */
export async function personHash(
  vault: Deps['vault'],
  appId: string,
  identity: Identity,
): Promise<string | null> {
  const key = personKey(identity)
  return key === null ? null : vault.keyedHash({ app_id: appId }, 'aml.person', key)
}

/**
 * Those of a person's matches that a reviewer of the app has called false, by match id. A changed entity is another
 * version, and asks for a review again.
 */
export async function knownFalsePositives(
  { vault, database }: Deps,
  verdicts: MatchVerdicts,
  serving: ListSnapshot,
  appId: string,
  identity: Identity,
  matches: readonly AmlMatch[],
): Promise<Map<string, { reviewed_at: string }>> {
  const known = new Map<string, { reviewed_at: string }>()
  if (matches.length === 0) return known
  const hash = await personHash(vault, appId, identity)
  if (hash === null) return known
  for (const verdict of await verdicts.falsePositives(database, appId, hash)) {
    const list = serving.lists.find(({ id }) => id === verdict.list)
    const match = matches.find((item) => item.list === verdict.list && item.entity_id === verdict.entity_id)
    if (list === undefined || match === undefined) continue
    if (entityVersion(list, verdict.entity_id) !== verdict.entity_version) continue
    known.set(match.match_id, { reviewed_at: toTimestamp(verdict.reviewed_at) })
  }
  return known
}
