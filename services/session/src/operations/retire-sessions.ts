import { countOpenPurges, retiredSessions } from '../store/purges.ts'
import type { Operations } from './context.ts'
import { purgeSession } from './purge-session.ts'

const batch = 200
/** No more than this many wait for their certificates: services that are behind would be asked again and fall further. */
const mostOpen = 400
/** A purge open for longer waits for a service that is away, which must not keep others' data alive. */
const openForMs = 5 * 60_000
/** A purge mostly waits: for the disk of the vault and of the database. */
const atOnce = 4

/**
 * Purges what has outlived its app's retention, as fast as the services confirm, so that a day with many does not come
 * down at once.
 * One that fails is logged, keeps no other waiting and comes again in the next round.
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
