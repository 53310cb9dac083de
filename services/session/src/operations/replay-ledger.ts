import type { Sql } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import { sessionsNotPurged } from '../store/purges.ts'
import type { Operations } from './context.ts'
import { purgeSession } from './purge-session.ts'

type Scope = { app_id: string; session_id: string }
const batch = 500

export type ReplayedLedger = { purged_sessions: number; sessions_purged_again: number }

/**
 * Purges sessions again that the vault's ledger lists as purged but the tables do not, because a restored backup
 * brought them back. Their data is unreadable even before this, because the vault refuses their key; this clears the
 * rows in every service.
 */
export async function replayLedger(operations: Operations): Promise<ReplayedLedger> {
  const total: ReplayedLedger = { purged_sessions: 0, sessions_purged_again: 0 }
  for await (const known of batches(operations.vault, batch)) {
    total.purged_sessions += known.length
    total.sessions_purged_again += await purgeAgain(operations, operations.database, known)
  }
  if (total.sessions_purged_again > 0)
    operations.logger.warn('sessions that a backup brought back were purged again', total)
  return total
}

async function purgeAgain(operations: Operations, sql: Sql, known: readonly Scope[]): Promise<number> {
  const back = await sessionsNotPurged(sql, known)
  for (const session of back)
    await purgeSession(operations, {
      ...session,
      actor: { type: 'system', id: 'purge-ledger' },
      restored: true,
    })
  return back.length
}

async function* batches(vault: Vault, size: number): AsyncGenerator<Scope[]> {
  let batch: Scope[] = []
  for await (const scope of vault.purged()) {
    batch.push(scope)
    if (batch.length === size) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
