import { conflict, notFound, type SignedPurgeCertificate } from '@kyc/common'
import { findConfirmations, findPurge } from '../store/purges.ts'
import { findSession } from '../store/sessions.ts'
import { unconfirmed } from './complete-purge.ts'
import type { Operations } from './context.ts'

/** The certificate of a complete purge; `conflict` lists the services that have not confirmed. */
export async function presentPurgeCertificate(
  { database }: Operations,
  ids: { app_id: string; session_id: string },
): Promise<SignedPurgeCertificate> {
  if (!(await findSession(database, ids.app_id, ids.session_id))) throw notFound('session')
  const purge = await findPurge(database, ids)
  if (!purge) throw conflict('The session is not purged.')
  if (purge.certificate) return purge.certificate
  const missing = unconfirmed(purge, await findConfirmations(database, ids.session_id))
  throw conflict(`The purge is not confirmed yet by: ${missing.join(', ') || 'session'}.`, 5)
}
