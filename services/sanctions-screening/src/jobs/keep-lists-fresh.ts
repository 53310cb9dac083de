import type { Job } from '@kyc/host'
import type { Logger, PooledDatabase } from '@kyc/runtime'
import type { ServingLists } from '../serving/serving-lists.ts'
import { servingChannel } from '../store/lists.ts'
import type { ListRefresher } from './refresh-lists.ts'

/** How often due sources are looked for, and memory compared with the store in case a notification was lost. */
const roundMs = 60_000

export interface FreshLists {
  job: Job
  /** Begins a check of every source (or of the named lists) and returns at once. */
  refreshNow(lists: readonly string[] | undefined): void
}

/**
 * The life of the lists in a process: at start what is stored, or the operator's folder, before the service answers;
 * then a look for due sources every minute; and another replica's update as soon as it tells.
 */
export function keepListsFresh(options: {
  refresher: ListRefresher
  lists: ServingLists
  database: PooledDatabase
  logger: Logger
  offline: boolean
}): FreshLists {
  const { refresher, lists, database, logger, offline } = options
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => Promise<void>) | undefined
  let stopped = false
  let working: Promise<void> = Promise.resolve()

  /** Rounds follow one another; a failure is logged and the next round comes. */
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    working = working
      .then(work)
      .catch((error: unknown) => logger.error('the lists could not be refreshed', { error }))
    return working
  }
  const round = async (force: boolean, named?: readonly string[]): Promise<void> => {
    if (stopped) return
    await refresher.refresh({ force, lists: named })
    await lists.sync()
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      void enqueue(() => round(false)).then(() => {
        if (!stopped) schedule()
      })
    }, roundMs)
  }

  return {
    job: {
      name: 'sanctions lists',
      start: async () => {
        stopListening = await database.listen(servingChannel, () => {
          void enqueue(() => lists.sync())
        })
        // A folder is read before the first answer; a download may take minutes and must not hold up the start.
        if (offline) await enqueue(() => round(false))
        else {
          await enqueue(() => lists.sync())
          void enqueue(() => round(false))
        }
        schedule()
      },
      stop: async () => {
        stopped = true
        clearTimeout(timer)
        await stopListening?.()
        await working
      },
    },
    refreshNow: (named) => {
      void enqueue(() => round(true, named))
    },
  }
}
