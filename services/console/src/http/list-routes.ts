import {
  blockSessionFace,
  consoleListEndpoints,
  getListStatus,
  listBlockedFaces,
  notFound,
  objectId,
  refreshLists,
  unblockSessionFace,
} from '@kyc/common'
import { type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import { actorOf, type Operations, record } from '../operations/context.ts'

/** The sanctions lists of the installation, and each app's block list. */
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
      listBlockList: ({ params }) => bus.request(listBlockedFaces, params),
      addToBlockList: async ({ params, body }, { caller }) => {
        const entry = await bus.request(blockSessionFace, { ...params, ...body })
        await record(operations, actorOf(caller), {
          app_id: params.app_id,
          action: 'block_list.added',
          target: entry.id,
          details: { session_id: body.session_id },
        })
        return entry
      },
      removeFromBlockList: async ({ params }, { caller }) => {
        const { app_id, entry_id } = params
        if (!objectId.safeParse(entry_id).success) throw notFound('entry')
        await bus.request(unblockSessionFace, { app_id, id: entry_id })
        await record(operations, actorOf(caller), {
          app_id,
          action: 'block_list.removed',
          target: entry_id,
        })
      },
    },
    options,
  )
}
