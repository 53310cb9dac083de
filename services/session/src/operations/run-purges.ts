import { sessionPurged, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { openPurges, takeUnconfirmedPurges, takeUnsweptPurges, undestroyedPurges } from '../store/purges.ts'
import type { Operations } from './context.ts'
import { destroyData } from './purge-session.ts'

const batch = 200
/**
 * The request that marks a session also destroys its data. Two deletions at once would each count only part of the
 * files.
 */
const interruptedAfterMs = 10_000
/** The interval after which the purge request is published again for services that have not confirmed. */
const askAgainAfterMs = 60_000
/** Longer than any handler runs, so that everything in progress at the time of the purge has been written. */
const sweepAfterMs = 120_000
/** A purge that is open for this long raises an alarm, because the retries did not help. */
const alarmAfterMs = 15 * 60_000

export type OpenPurges = { count: number; oldestAgeSeconds: number }

/** Drives every purge to completion. Returns the number of open purges and the age of the oldest. */
export async function runPurges(operations: Operations): Promise<OpenPurges> {
  await destroyUndone(operations)
  await ask(operations, takeUnconfirmedPurges, askAgainAfterMs)
  await ask(operations, takeUnsweptPurges, sweepAfterMs)
  const { count, oldest } = await openPurges(operations.database)
  const age = oldest ? Math.max(0, operations.clock.now().getTime() - oldest.getTime()) : 0
  if (age > alarmAfterMs) {
    const oldest_minutes = Math.round(age / 60_000)
    operations.logger.error('purges are not confirmed by every service', { open: count, oldest_minutes })
  }
  return { count, oldestAgeSeconds: age / 1000 }
}

/** Completes interrupted purges. One failure does not block the others. */
async function destroyUndone(operations: Operations): Promise<void> {
  const before = new Date(operations.clock.now().getTime() - interruptedAfterMs)
  for (const session of await undestroyedPurges(operations.database, before, batch)) {
    try {
      await destroyData(operations, session)
    } catch (error) {
      operations.logger.error('the data of a purged session could not be destroyed', { ...session, error })
    }
  }
}

type Take = (sql: Sql, before: Date, now: Date, limit: number) => ReturnType<typeof takeUnsweptPurges>

async function ask({ database, clock, outbox }: Operations, take: Take, afterMs: number): Promise<void> {
  const now = clock.now()
  await database.transaction(async (tx) => {
    for (const { purged_at, ...session } of await take(tx, new Date(now.getTime() - afterMs), now, batch)) {
      const payload = { ...session, purged_at: toTimestamp(purged_at) }
      await outbox.append(tx, sessionPurged, payload, { orderingKey: session.session_id })
    }
  })
}
