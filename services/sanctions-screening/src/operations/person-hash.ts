import type { Identity } from '@kyc/common'
import { personKey } from '../domain/screening/person-key.ts'
import type { ScreeningDeps } from './deps.ts'

/** Keyed hash of a person, comparable within one app only. Null when the identity has no name. */
export async function personHash(
  { vault }: Pick<ScreeningDeps, 'vault'>,
  appId: string,
  identity: Identity,
): Promise<string | null> {
  const key = personKey(identity)
  return key === null ? null : vault.keyedHash({ app_id: appId }, 'aml.person', key)
}
