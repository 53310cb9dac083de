import { consoleUserEndpoints } from '@kyc/common'
import { type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import type { Operations } from '../operations/context.ts'
import {
  endUserSessions,
  inviteUser,
  listUsers,
  removeSecondFactor,
  sendPasswordReset,
  updateUser,
  withdrawInvitation,
} from '../operations/manage-users.ts'

/** Console users, their roles and apps. */
export function mountUsers(router: Router, operations: Operations, options: MountOptions): void {
  mount(
    router,
    consoleUserEndpoints,
    {
      listUsers: (_input, { caller }) => listUsers(operations, caller),
      inviteUser: ({ body }, { caller }) => inviteUser(operations, caller, body),
      withdrawInvitation: ({ params }, { caller }) =>
        withdrawInvitation(operations, caller, params.invitation_id),
      updateUser: ({ params, body }, { caller }) => updateUser(operations, caller, params.user_id, body),
      endUserSessions: ({ params }, { caller }) => endUserSessions(operations, caller, params.user_id),
      sendPasswordReset: ({ params }, { caller }) => sendPasswordReset(operations, caller, params.user_id),
      removeSecondFactor: ({ params }, { caller }) => removeSecondFactor(operations, caller, params.user_id),
    },
    options,
  )
}
