import type { Job } from '@kyc/host'
import type { RefreshDeps } from '../operations/deps.ts'
import { refreshLists } from '../operations/refresh-lists.ts'
import type { ActiveLists } from '../serving/active-lists.ts'
import { listUpdateChannel } from '../store/lists.ts'

/** How often to look for due sources, and to compare memory with the store in case a notification was lost. */
const checkIntervalMs = 60_000
/** Several lists are often stored within a short time. Waiting this long builds one index for all of them. */
const coalesceMs = 2_000

export type ListRefreshJob = {
  job: Job
  /** Starts a check of every source, or of the given lists, and returns immediately. */
  refreshNow(lists: readonly string[] | undefined): void
}

/**
 * Loads the stored lists at startup, then refreshes them: once immediately and every minute after that. An update by
 * another replica is loaded as soon as its notification arrives.
 */
export function createListRefreshJob(deps: RefreshDeps, activeLists: ActiveLists): ListRefreshJob {
  const { database, logger, listFolder } = deps
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let pendingSync: NodeJS.Timeout | undefined
  let stopListening: (() => Promise<void>) | undefined
  let queue: Promise<void> = Promise.resolve()

  /** Runs tasks one after the other. A failure is logged and does not stop later tasks. */
  const enqueue = (task: () => Promise<void>): Promise<void> => {
    queue = queue.then(task).catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error('list refresh job failed', { error })
    })
    return queue
  }
  const check = async (force: boolean, lists?: readonly string[]): Promise<void> => {
    if (stopping.signal.aborted) return
    await refreshLists(deps, { force, lists, signal: stopping.signal })
    await activeLists.sync()
  }
  const schedule = (): void => {
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      void enqueue(() => check(false)).then(schedule)
    }, checkIntervalMs)
  }
  const syncSoon = (): void => {
    pendingSync ??= setTimeout(() => {
      pendingSync = undefined
      void enqueue(() => activeLists.sync())
    }, coalesceMs)
  }

  return {
    job: {
      name: 'sanctions lists',
      start: async () => {
        stopListening = await database.listen(listUpdateChannel, syncSoon)
        await enqueue(() => activeLists.sync())
        const first = enqueue(() => check(false))
        // Without a stored list, wait for the first reading of the folder: it takes seconds. A download can take
        // minutes.
        if (listFolder !== undefined && activeLists.snapshot().lists.length === 0)
          void first.then(() => activeLists.setReady())
        else activeLists.setReady()
        void first.then(schedule)
      },
      stop: async () => {
        stopping.abort()
        clearTimeout(timer)
        clearTimeout(pendingSync)
        activeLists.setReady()
        await stopListening?.()
        await queue
      },
    },
    refreshNow: (lists) => {
      void enqueue(() => check(true, lists))
    },
  }
}
