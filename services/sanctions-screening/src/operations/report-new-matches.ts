import { type Check, checkCompleted, type Identity, sealContexts, toTimestamp } from '@kyc/common'
import { amlCheck, openMatchIds } from '../domain/screening/aml-check.ts'
import { searchListsForMonitoring } from '../domain/screening/search-lists.ts'
import { toAmlQuery } from '../domain/screening/to-aml-query.ts'
import { type MonitoredSession, markMatchesReported } from '../store/monitored-sessions.ts'
import type { ScreeningDeps } from './deps.ts'
import { findKnownFalsePositives } from './find-known-false-positives.ts'

/**
 * Publishes the session's current `aml` check when one of `newMatches` needs a review; `session` then moves it to
 * review. Returns false when the session is no longer approved, so that the caller must store the matches as pending;
 * true when nothing remains to be done.
 */
export async function reportNewMatches(
  deps: ScreeningDeps,
  session: MonitoredSession,
  identity: Identity,
  newMatches: ReadonlySet<string>,
): Promise<boolean> {
  const { vault, database, outbox } = deps
  const { app_id, session_id, round } = session
  const check = await buildCheck(deps, session, identity, newMatches)
  if (check === null) return true
  const sealed = await vault.seal({ app_id, session_id }, sealContexts.check_data, check)
  return database.transaction(async (tx) => {
    if (!(await markMatchesReported(tx, session, openMatchIds(check)))) return false
    await outbox.append(
      tx,
      checkCompleted,
      {
        app_id,
        session_id,
        round,
        final: true,
        kind: 'aml',
        status: check.status,
        sealed_check: sealed.toString('base64'),
        monitoring: true,
      },
      { orderingKey: session_id },
    )
    return true
  })
}

/** Null when none of `newMatches` needs a review. */
async function buildCheck(
  deps: ScreeningDeps,
  { app_id, review_threshold, lists }: MonitoredSession,
  identity: Identity,
  newMatches: ReadonlySet<string>,
): Promise<Check | null> {
  const { activeLists, clock } = deps
  const now = toTimestamp(clock.now())
  const snapshot = activeLists.snapshot()
  const result = searchListsForMonitoring(
    {
      index: snapshot.index,
      lists: activeLists.infos(snapshot),
      query: toAmlQuery(identity),
      minNameScore: review_threshold,
      listIds: lists,
      entityType: 'person',
    },
    newMatches,
  )
  const falsePositives = await findKnownFalsePositives(deps, snapshot, app_id, identity, result.matches)
  const needsReview = result.matches.some(
    ({ match_id }) => newMatches.has(match_id) && !falsePositives.has(match_id),
  )
  if (!needsReview) return null
  return amlCheck({
    identity,
    result,
    threshold: review_threshold,
    startedAt: now,
    screenedAt: now,
    falsePositives,
  })
}
