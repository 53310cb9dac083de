import type { Job } from '@kyc/host'
import type { Logger, PooledDatabase } from '@kyc/runtime'
import type { ActiveLists } from '../serving/serving-lists.ts'
import { servingChannel } from '../store/lists.ts'
import type { ListRefresher } from './refresh-lists.ts'

/** How often due sources are looked for, and memory compared with the store in case a notification was lost. */
const checkIntervalMs = 60_000
/** Several lists are often stored within a moment: they make one new index. */
const coalesceMs = 2_000

export type ListRefreshJob = {
  job: Job
  /** Begins a check of every source (or of the named lists) and returns at once. */
  refreshNow(lists: readonly string[] | undefined): void
}

/**
 * The life of the lists in a process: at start what is stored, then the operator's folder or what is due; from then on a
 * look every minute, and another replica's update as soon as it tells.
 */
export function scheduleListRefresh(options: {
  refresher: ListRefresher
  lists: ActiveLists
  database: PooledDatabase
  logger: Logger
  /** Lists come from a folder: without a stored one, the first reading is worth waiting for. */
  offline: boolean
}): ListRefreshJob {
  const { refresher, lists, database, logger, offline } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let pendingSync: NodeJS.Timeout | undefined
  let stopListening: (() => Promise<void>) | undefined
  let working: Promise<void> = Promise.resolve()

  /** Rounds follow one another; a failure is logged and the next round comes. */
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    working = working.then(work).catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error('the lists could not be refreshed', { error })
    })
    return working
  }
  const check = async (force: boolean, named?: readonly string[]): Promise<void> => {
    if (stopping.signal.aborted) return
    await refresher.refresh({ force, lists: named, signal: stopping.signal })
    await lists.sync()
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
      void enqueue(() => lists.sync())
    }, coalesceMs)
  }

  return {
    job: {
      name: 'sanctions lists',
      start: async () => {
        stopListening = await database.listen(servingChannel, syncSoon)
        await enqueue(() => lists.sync())
        const first = enqueue(() => check(false))
        if (offline && lists.snapshot().lists.length === 0) void first.then(() => lists.setReady())
        else lists.setReady()
        void first.then(schedule)
      },
      stop: async () => {
        stopping.abort()
        clearTimeout(timer)
        clearTimeout(pendingSync)
        lists.setReady()
        await stopListening?.()
        await working
      },
    },
    refreshNow: (named) => {
      void enqueue(() => check(true, named))
    },
  }
}
