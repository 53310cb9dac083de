import { checkReplacement } from '../domain/lists/check-replacement.ts'
import { isEmptyDelta, listDelta } from '../domain/lists/list-delta.ts'
import type { DownloadValidators } from '../lists/fetch-list.ts'
import type { LoadedList } from '../lists/load-list.ts'
import type { RefreshDeps } from './deps.ts'

/**
 * Makes a loaded list the active version, unless its content is that of the current one.
 * @param validators null for a list from the folder; such a list replaces the active one without a plausibility check,
 * because the operator chose it
 * @throws ListRejectedError when a downloaded list is not a plausible successor of the active version
 */
export async function activateList(
  { listStore, clock, logger, keepVersions }: RefreshDeps,
  next: LoadedList,
  validators: DownloadValidators | null,
): Promise<void> {
  const state = await listStore.findState(next.id)
  const current = state?.version == null ? null : await listStore.readVersion(next.id, state.version)
  if (validators !== null) checkReplacement(next, current, clock.now())
  const delta = listDelta(current?.entities ?? [], next.entities)
  if (current !== null && isEmptyDelta(delta)) {
    await listStore.markUnchanged(next.id, next.fetched_at, validators)
    return
  }
  await listStore.activate(next, delta, current?.version ?? null, validators)
  await listStore.prune(next.id, keepVersions)
  logger.info('list updated', {
    list: next.id,
    version: next.version,
    entities: next.entities.length,
    added: delta.added.length,
    changed: delta.changed.length,
    removed: delta.removed.length,
  })
}
