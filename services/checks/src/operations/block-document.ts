import { type BlockedDocument, notFound } from '@kyc/common'
import { newId } from '@kyc/runtime'
import type { SessionScope } from '../store/document-sides.ts'
import type { SessionChecks } from './context.ts'

/**
 * Puts a session's document on the app's block list: it stays when the session is purged. `not_found` where the
 * session showed no document that can be recognised again.
 */
export async function blockDocument(
  { deps: { database, clock }, fingerprints, blocked }: SessionChecks,
  scope: SessionScope,
): Promise<BlockedDocument> {
  const fingerprint = await fingerprints.find(database, scope)
  if (fingerprint === null) throw notFound('document')
  return blocked.add(database, {
    id: newId('object'),
    app_id: scope.app_id,
    fingerprint,
    at: clock.now(),
  })
}

/** Takes an entry off the app's block list. `not_found` where it has none of that id. */
export async function unblockDocument(
  { deps: { database }, blocked }: SessionChecks,
  { app_id, id }: { app_id: string; id: string },
): Promise<void> {
  if (!(await blocked.remove(database, app_id, id))) throw notFound('entry')
}
