import { conflict, notFound, type SignedReceipt, signedReceipt } from '@kyc/common'
import { findReceipt } from '../store/receipts.ts'
import { findSession } from '../store/sessions.ts'
import { type Operations, scopeOf } from './context.ts'
import { receiptContext } from './write-receipt.ts'

/**
 * The receipt of the latest decision; `conflict` before the first decision and after a purge, which deletes the
 * receipt.
 */
export async function presentReceipt(
  { database, vault }: Operations,
  ids: { app_id: string; session_id: string },
): Promise<SignedReceipt> {
  const session = await findSession(database, ids.app_id, ids.session_id)
  if (!session) throw notFound('session')
  if (session.purged_at) throw conflict('The session is purged, and its receipt with it.')
  const sealed = await findReceipt(database, ids.session_id)
  if (!sealed) throw conflict(`The session is ${session.status}: it has no decision yet.`)
  return signedReceipt.parse(await vault.open(scopeOf(session), receiptContext, sealed))
}
