import { sessionSubmitted } from '@kyc/common'
import { dueSessions } from '../store/sessions.ts'
import { takeOverdueSubmissions } from '../store/submissions.ts'
import type { Operations } from './context.ts'
import { retireSessions } from './retire-sessions.ts'
import { settleClock } from './settle-clock.ts'

const batch = 200

/** Runs all time-based work. Each part is safe to run on several replicas at once. */
export async function runClock(operations: Operations): Promise<void> {
  await settleDue(operations)
  await askAgain(operations)
  await retireSessions(operations)
}

async function settleDue(operations: Operations): Promise<void> {
  for (;;) {
    const due = await dueSessions(operations.database, operations.clock.now(), batch)
    for (const session of due) await settleClock(operations, session)
    if (due.length < batch) return
  }
}

/**
 * Half-way to the deadline, publishes the submission once more, because a message may have been lost with its queue.
 */
async function askAgain({ database, clock, config, outbox }: Operations): Promise<void> {
  const now = clock.now()
  const before = new Date(now.getTime() - (config.PROCESSING_DEADLINE_SECONDS * 1000) / 2)
  await database.transaction(async (tx) => {
    for (const submission of await takeOverdueSubmissions(tx, before, now, batch)) {
      await outbox.append(tx, sessionSubmitted, submission, { orderingKey: submission.session_id })
    }
  })
}
