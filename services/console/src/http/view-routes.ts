import { consoleViewEndpoints } from '@kyc/common'
import { type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import type { Operations } from '../operations/context.ts'
import { removeView, saveView } from '../operations/saved-views.ts'
import { listViews } from '../store/saved-views.ts'

/** Filters that each user saves for themselves. */
export function mountViews(router: Router, operations: Operations, options: MountOptions): void {
  mount(
    router,
    consoleViewEndpoints,
    {
      listSavedViews: async ({ params }, { caller }) => ({
        data: await listViews(operations.database, { app_id: params.app_id, user_id: caller.user_id }),
      }),
      saveView: ({ params, body }, { caller }) => saveView(operations, caller, params.app_id, body),
      removeView: ({ params }, { caller }) => removeView(operations, caller, params.app_id, params.view_id),
    },
    options,
  )
}
