import {
  blockSessionDocument,
  blockSessionFace,
  consoleListEndpoints,
  getListStatus,
  listBlockedDocuments,
  listBlockedFaces,
  notFound,
  objectId,
  refreshLists,
  unblockSessionDocument,
  unblockSessionFace,
} from '@kyc/common'
import { type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import { actorOf, type Operations, record } from '../operations/context.ts'

/** The bus requests of the service that owns each half of the block list. */
const blockLists = {
  face: { add: blockSessionFace, remove: unblockSessionFace, list: listBlockedFaces },
  document: { add: blockSessionDocument, remove: unblockSessionDocument, list: listBlockedDocuments },
} as const

/** The sanctions lists of the installation, and the block list of each app. */
export function mountLists(router: Router, operations: Operations, options: MountOptions): void {
  const { bus } = operations
  mount(
    router,
    consoleListEndpoints,
    {
      getSanctionsLists: () => bus.request(getListStatus, {}),
      refreshSanctionsLists: async (_input, { caller }) => {
        const answer = await bus.request(refreshLists, {})
        await record(operations, actorOf(caller), {
          app_id: null,
          action: 'lists.refresh_asked',
          target: 'lists',
          details: { started: answer.started },
        })
        return answer
      },
      listBlockList: async ({ params }) => {
        const [faces, documents] = await Promise.all([
          bus.request(listBlockedFaces, params),
          bus.request(listBlockedDocuments, params),
        ])
        const data = [
          ...faces.data.map((entry) => ({ ...entry, kind: 'face' as const })),
          ...documents.data.map((entry) => ({ ...entry, kind: 'document' as const })),
        ]
        return { data: data.sort((a, b) => b.created_at.localeCompare(a.created_at)) }
      },
      addToBlockList: async ({ params, body }, { caller }) => {
        const { kind, session_id } = body
        const entry = await bus.request(blockLists[kind].add, { app_id: params.app_id, session_id })
        await record(operations, actorOf(caller), {
          app_id: params.app_id,
          action: 'block_list.added',
          target: entry.id,
          details: { session_id, kind },
        })
        return { ...entry, kind }
      },
      removeFromBlockList: async ({ params }, { caller }) => {
        const { app_id, kind, entry_id } = params
        if (!objectId.safeParse(entry_id).success) throw notFound('entry')
        await bus.request(blockLists[kind].remove, { app_id, id: entry_id })
        await record(operations, actorOf(caller), {
          app_id,
          action: 'block_list.removed',
          target: entry_id,
          details: { kind },
        })
      },
    },
    options,
  )
}
