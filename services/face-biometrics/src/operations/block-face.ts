import { type BlockedFace, notFound, toTimestamp } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type Scope, scopeOf } from '../domain/session-scope.ts'
import { deleteBlockedFace, insertBlockedFace } from '../store/blocked-faces.ts'
import { findFaces } from '../store/faces.ts'
import type { Operations } from './context.ts'
import { EMBEDDING_CONTEXT } from './embedding-value.ts'

type BlockList = Pick<Operations, 'database' | 'prisma' | 'vault' | 'clock'>

/**
 * Adds a session's face to the app's block list, sealed with the app's key so that it outlives a purge of the session.
 * `not_found` if the session has no face.
 */
export async function blockFace(operations: BlockList, scope: Scope): Promise<BlockedFace> {
  const { database, prisma, vault, clock } = operations
  const [face] = await findFaces(database, scope.app_id, [scope.session_id])
  if (!face) throw notFound('face')
  const value = await vault.open(scopeOf(scope), EMBEDDING_CONTEXT, face.sealed)
  const id = newId('object')
  const created_at = clock.now()
  await insertBlockedFace(prisma, {
    id,
    app_id: scope.app_id,
    sealed: await vault.sealForApp(scope.app_id, EMBEDDING_CONTEXT, value),
    created_at,
  })
  return { id, created_at: toTimestamp(created_at) }
}

/** Removes an entry from the app's block list. `not_found` if there is no entry with that id. */
export async function unblockFace(
  operations: BlockList,
  entry: { app_id: string; id: string },
): Promise<void> {
  if (!(await deleteBlockedFace(operations.prisma, entry.app_id, entry.id))) throw notFound('entry')
}
