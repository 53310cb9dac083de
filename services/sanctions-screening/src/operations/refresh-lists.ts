import { isDue } from '../domain/lists/refresh-schedule.ts'
import type { RefreshDeps } from './deps.ts'
import { refreshFromFolder } from './refresh-from-folder.ts'
import { refreshFromSource } from './refresh-from-source.ts'

/** Key of the advisory lock that serialises refreshes across the replicas that share a database. */
const refreshLock = 5_190_423_118

/**
 * Checks every source that is due, or every requested source when `force` is set. Only one replica refreshes at a time:
 * returns false when another one is. A list that cannot be refreshed does not throw: the reason is stored, logged and
 * counted.
 */
export async function refreshLists(
  deps: RefreshDeps,
  options: { force?: boolean; lists?: readonly string[]; signal?: AbortSignal } = {},
): Promise<boolean> {
  const client = await deps.database.pool.connect()
  try {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
      refreshLock,
    ])
    if (rows[0]?.held !== true) return false
    try {
      await refreshDueLists(deps, options)
      return true
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [refreshLock])
    }
  } finally {
    client.release()
  }
}

async function refreshDueLists(
  deps: RefreshDeps,
  { force = false, lists, signal }: { force?: boolean; lists?: readonly string[]; signal?: AbortSignal },
): Promise<void> {
  const { listFolder, sources, listStore, clock, schedule, random } = deps
  if (listFolder !== undefined) {
    await refreshFromFolder(deps, listFolder, force)
    return
  }
  for (const source of sources) {
    if (signal?.aborted) return
    if (lists !== undefined && !lists.includes(source.list)) continue
    const state = await listStore.findState(source.list)
    if (force || isDue(state, clock.now(), schedule, random()))
      await refreshFromSource(deps, source, state, signal)
  }
}
