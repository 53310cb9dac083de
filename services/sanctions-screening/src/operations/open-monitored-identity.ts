import { type Identity, sealContexts, subjectIdentity } from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import type { MonitoredSession } from '../store/monitored-sessions.ts'
import type { ScreeningDeps } from './deps.ts'

/** Decrypts the identity of a monitored session. Null for a session that was purged in the meantime. */
export async function openMonitoredIdentity(
  { vault }: Pick<ScreeningDeps, 'vault'>,
  { app_id, session_id, sealed_identity }: MonitoredSession,
): Promise<Identity | null> {
  try {
    const value = await vault.open({ app_id, session_id }, sealContexts.identity, sealed_identity)
    return subjectIdentity.parse(value).identity
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) return null
    throw error
  }
}
