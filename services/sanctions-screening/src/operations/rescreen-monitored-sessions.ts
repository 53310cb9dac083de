import type { EventMessage } from '@kyc/bus'
import type { sanctionsListUpdated } from '@kyc/common'
import { type ListId, listIds } from '../domain/entity.ts'
import { screen } from '../domain/matching/index.ts'
import { maxMonitoringMatches } from '../domain/screening/search-lists.ts'
import { toAmlQuery } from '../domain/screening/to-aml-query.ts'
import {
  addPendingMatches,
  listMonitoredSessions,
  type MonitoredSession,
} from '../store/monitored-sessions.ts'
import type { ScreeningDeps } from './deps.ts'
import { openMonitoredIdentity } from './open-monitored-identity.ts'
import { reportNewMatches } from './report-new-matches.ts'

const pageSize = 200

/**
 * Screens monitored sessions against the entities that a list update added or changed. A match that the session did not
 * have before is reported once; while the session is not approved, it stays pending until it is.
 */
export async function rescreenMonitoredSessions(
  deps: ScreeningDeps,
  { payload }: EventMessage<typeof sanctionsListUpdated>,
): Promise<void> {
  const list = listIds.find((id) => id === payload.list)
  if (list === undefined || payload.previous_version === null || payload.added + payload.changed === 0) return
  const delta = await deps.listStore.readDelta(list, payload.version)
  if (delta === null) return
  await deps.activeLists.sync()
  const updatedEntities = new Set([...delta.added, ...delta.changed])
  let after = ''
  for (;;) {
    const page = await listMonitoredSessions(deps.database, list, after, pageSize)
    for (const session of page) await rescreen(deps, session, list, updatedEntities)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.session_id
  }
}

async function rescreen(
  deps: ScreeningDeps,
  session: MonitoredSession,
  list: ListId,
  updatedEntities: ReadonlySet<string>,
): Promise<void> {
  const identity = await openMonitoredIdentity(deps, session)
  if (identity === null || identity.full_name === null) return
  // Search the whole index: the weight of a name's words depends on how many listed entities share them.
  const matches = screen(
    deps.activeLists.snapshot().index,
    { ...toAmlQuery(identity), entity_type: 'person' },
    { floor: session.review_threshold, limit: maxMonitoringMatches, lists: [list] },
  )
  const newMatches = matches
    .filter((match) => updatedEntities.has(match.entity_id))
    .map((match) => match.match_id)
    .filter((id) => !session.known_matches.includes(id))
  if (newMatches.length === 0) return
  // The session's status can change at any time. Each call takes effect only if the status is still the expected one.
  if (!session.active && (await addPendingMatches(deps.database, session, newMatches))) return
  if (await reportNewMatches(deps, session, identity, new Set(newMatches))) return
  if (session.active) await addPendingMatches(deps.database, session, newMatches)
}
