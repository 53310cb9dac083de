import { sessionPurged, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { openPurges, takeUnconfirmedPurges, takeUnsweptPurges, undestroyedPurges } from '../store/purges.ts'
import type { Operations } from './context.ts'
import { destroyData } from './purge-session.ts'

const batch = 200
/** Who marked a session destroys its data at once: two at a time would each count a part of the files as deleted. */
const interruptedAfterMs = 10_000
/** A service that has not confirmed is asked again after this long. */
const askAgainAfterMs = 60_000
/** Longer than any handler runs: what was under way at the moment of the purge has been written by then. */
const sweepAfterMs = 120_000
/** A purge open for this long is an alarm: the retries did not help. */
const alarmAfterMs = 15 * 60_000

export type OpenPurges = { count: number; oldestAgeSeconds: number }

/** Brings every purge to its end; answers how many are still open, and for how long. */
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

/** What an interrupted purge left; one that fails does not keep the others waiting. */
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
