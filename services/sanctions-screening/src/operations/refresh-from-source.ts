import { toTimestamp } from '@kyc/common'
import { mustRefetch } from '../domain/lists/refresh-schedule.ts'
import { fetchList } from '../lists/fetch-list.ts'
import type { ListSource } from '../lists/sources.ts'
import type { ListState } from '../store/generated/client.ts'
import { activateList } from './activate-list.ts'
import type { RefreshDeps } from './deps.ts'
import { recordRefreshFailure } from './record-refresh-failure.ts'

/**
 * Downloads one list and activates it when its content changed. The request is conditional while the stored copy is
 * recent.
 */
export async function refreshFromSource(
  deps: RefreshDeps,
  source: ListSource,
  state: ListState | null,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { outbound, clock, listStore, schedule } = deps
  const fetchedAt = toTimestamp(clock.now())
  try {
    const validators =
      state === null || state.version === null || mustRefetch(state, clock.now(), schedule) ? null : state
    const fetched = await fetchList(outbound, source, validators, fetchedAt, signal)
    if (fetched.kind === 'unchanged') await listStore.markUnchanged(source.list, null, null)
    else {
      const { list, source: url, etag, lastModified } = fetched
      await activateList(deps, list, { source: url, etag, lastModified })
    }
  } catch (error) {
    // The process is stopping, so an aborted download is not a failure of the source.
    if (signal?.aborted) return
    await recordRefreshFailure(deps, source.list, error)
  }
}
