import { signDocument } from '@kyc/attestation'
import { type PurgeCertificate, purgeParticipants, toTimestamp } from '@kyc/common'
import { expectNoReferences, type Sql } from '@kyc/runtime'
import {
  type ConfirmationRow,
  findConfirmations,
  lockPurge,
  type PurgeRow,
  remainingOfSession,
  writeCertificate,
} from '../store/purges.ts'
import { recordAudit } from './audit.ts'
import { codeVersion } from './code-version.ts'
import { type Operations, scopeOf } from './context.ts'
import { signingKeyOf } from './signing-keys.ts'

/** The services that have not confirmed a purge yet; includes `vault` until key and files are known to be destroyed. */
export function unconfirmed(purge: PurgeRow, confirmations: readonly ConfirmationRow[]): string[] {
  const silent = purgeParticipants.filter((name) => !confirmations.some(({ service }) => service === name))
  return purge.vault ? silent : ['vault', ...silent]
}

/** Signs and stores the certificate once the vault and every service are done; otherwise does nothing. */
export async function completePurge(
  operations: Operations,
  tx: Sql,
  session: { app_id: string; session_id: string },
): Promise<void> {
  const purge = await lockPurge(tx, session)
  if (!purge?.vault || purge.completed_at) return
  const confirmations = await findConfirmations(tx, session.session_id)
  if (unconfirmed(purge, confirmations).length > 0) return
  const remaining = await remainingOfSession(tx, session.session_id)
  expectNoReferences('session', remaining)
  if ((await operations.vault.list(scopeOf(session))).length > 0)
    throw new Error('the vault still lists files of a purged session')
  const now = operations.clock.now()
  const own: ConfirmationRow = { service: 'session', confirmed_at: now, deleted: purge.deleted, remaining }
  const payload: PurgeCertificate = {
    type: 'kyc.purge-certificate',
    version: 1,
    ...scopeOf(session),
    purged_at: toTimestamp(purge.purged_at),
    completed_at: toTimestamp(now),
    vault: {
      data_key: purge.vault.key_destroyed ? 'destroyed' : 'never_made',
      files_deleted: purge.vault.files_deleted,
      files_remaining: 0,
    },
    services: [own, ...confirmations]
      .map((item) => ({ ...item, confirmed_at: toTimestamp(item.confirmed_at) }))
      .sort((a, b) => (a.service < b.service ? -1 : 1)),
    code: codeVersion(operations.config),
  }
  const key = await signingKeyOf(operations.vault, session.app_id)
  await writeCertificate(tx, session.session_id, signDocument(key, payload), now)
  await recordAudit(operations, tx, session, { type: 'system', id: 'purge' }, 'session.purge_completed')
}
