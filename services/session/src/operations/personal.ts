import { sealContexts } from '@kyc/common'
import type { Vault } from '@kyc/vault'
import { z } from 'zod'
import type { SessionRecord } from '../store/session-record.ts'
import { scopeOf } from './context.ts'

const personal = z.object({
  metadata: z.record(z.string(), z.unknown()),
  contact_email: z.string().nullable(),
})
/** The fields of a create request that may identify a person. */
export type Personal = z.infer<typeof personal>

const none: Personal = { metadata: {}, contact_email: null }

/** Null if there is nothing to seal; such a session needs no data key yet. */
export async function sealPersonal(
  vault: Vault,
  scope: { app_id: string; session_id: string },
  value: Personal,
): Promise<Buffer | null> {
  if (value.contact_email === null && Object.keys(value.metadata).length === 0) return null
  return vault.seal(scope, sealContexts.metadata, value)
}

export async function openPersonal(vault: Vault, session: SessionRecord): Promise<Personal> {
  if (!session.sealed_personal || session.purged_at) return none
  return personal.parse(await vault.open(scopeOf(session), sealContexts.metadata, session.sealed_personal))
}
