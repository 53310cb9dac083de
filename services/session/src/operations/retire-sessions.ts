import { retiredSessions } from '../store/purges.ts'
import type { Operations } from './context.ts'
import { purgeSession } from './purge-session.ts'

const batch = 200
/** A purge mostly waits: for the disk of the vault and of the database. */
const atOnce = 4

/**
 * Purges what has outlived its app's retention: a batch a round, so that a day with many does not come down at once.
 * One that fails is logged, keeps no other waiting and comes again in the next round.
 */
export async function retireSessions(operations: Operations): Promise<void> {
  const retired = await retiredSessions(operations.database, operations.clock.now(), batch)
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
