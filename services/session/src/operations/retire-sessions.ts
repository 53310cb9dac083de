import { countOpenPurges, retiredSessions } from '../store/purges.ts'
import type { Operations } from './context.ts'
import { purgeSession } from './purge-session.ts'

const batch = 200
/**
 * Maximum number of recent purges without a certificate. More requests to slow services would put them further
 * behind.
 */
const mostOpen = 400
/** Older open purges do not count, so that one unavailable service does not block the retention of other sessions. */
const openForMs = 5 * 60_000
/** Purges run concurrently because they mostly wait for disk I/O of the vault and the database. */
const atOnce = 4

/**
 * Purges sessions past their app's retention, only as fast as the services confirm, so that a day with many sessions
 * is spread out. A failed purge is logged, does not block the others and is retried in the next run.
 */
export async function retireSessions(operations: Operations): Promise<void> {
  const { database, clock } = operations
  const now = clock.now()
  const open = await countOpenPurges(database, new Date(now.getTime() - openForMs))
  const retired = await retiredSessions(database, now, Math.max(0, Math.min(batch, mostOpen - open)))
  const actor = { type: 'system', id: 'retention' } as const
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let session = retired.shift(); session; session = retired.shift()) {
        try {
          await purgeSession(operations, { ...session, actor })
        } catch (error) {
          operations.logger.error('a session past its retention could not be purged', { ...session, error })
        }
      }
    }),
  )
}
