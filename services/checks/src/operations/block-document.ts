import { type BlockedDocument, notFound } from '@kyc/common'
import { newId } from '@kyc/runtime'
import type { SessionScope } from '../store/document-sides.ts'
import type { SessionChecks } from './context.ts'

/**
 * Adds a session's document to the app's block list; the entry survives a purge of the session. `not_found` when the
 * session has no document with a known issuing state and number.
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

/** Removes an entry from the app's block list. `not_found` when no entry has that id. */
export async function unblockDocument(
  { deps: { database }, blocked }: SessionChecks,
  { app_id, id }: { app_id: string; id: string },
): Promise<void> {
  if (!(await blocked.remove(database, app_id, id))) throw notFound('entry')
}
