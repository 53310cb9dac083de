import type { ClaimedMessage, EventMessage } from '@kyc/bus'
import type { sessionPurgeConfirmed } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { findPurge, confirmPurge as writeConfirmation } from '../store/purges.ts'
import { completePurge } from './complete-purge.ts'
import type { Operations } from './context.ts'

/** Stores a service's confirmation, and issues the certificate when it was the last one missing. */
export async function confirmPurge(
  operations: Operations,
  tx: Sql,
  { payload }: ClaimedMessage<typeof sessionPurgeConfirmed>,
): Promise<void> {
  if (Object.values(payload.remaining).some((count) => count > 0))
    throw new Error(`${payload.service} confirmed a purge that left rows`)
  await writeConfirmation(tx, payload, operations.clock.now())
  await completePurge(operations, tx, payload)
  await warnOfStragglers(operations, payload)
}

/**
 * Rows found by the sweep were written after the purge. Their data key was already destroyed, so they were
 * unreadable.
 */
async function warnOfStragglers(
  { database, logger }: Operations,
  payload: EventMessage<typeof sessionPurgeConfirmed>['payload'],
): Promise<void> {
  const late = Object.values(payload.deleted).some((count) => count > 0)
  if (!late || !(await findPurge(database, payload))?.completed_at) return
  const { session_id, service, deleted } = payload
  logger.warn('a sweep found rows that were written after a purge', { session_id, service, deleted })
}
