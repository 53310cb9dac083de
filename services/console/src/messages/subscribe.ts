import { inbox } from '@kyc/bus'
import {
  auditRecorded,
  recoverOwner as recoverOwnerRequest,
  sessionPurged,
  sessionStatusChanged,
  setUpApp as setUpAppRequest,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import type { Operations } from '../operations/context.ts'
import { recoverOwner } from '../operations/recover-owner.ts'
import { setUpApp } from '../operations/set-up-app.ts'
import { appendAudit } from '../store/audit-log.ts'
import { forgetSession } from './forget-session.ts'
import { tellAct, tellMove } from './tell-live.ts'

/** What this service hears and answers. */
export function subscribe(operations: Operations): void {
  const { bus, database, clock } = operations
  bus.subscribe(auditRecorded, {
    service: 'console',
    // One chain has one writer: more in flight would only wait for its lock.
    prefetch: 1,
    handle: async ({ id, payload }) => {
      await database.transaction(async (tx) => {
        if (!(await inbox.claim(tx, 'console.audit.recorded', id))) return
        await appendAudit(tx, { id: newId('message'), ...payload })
        await tellAct(tx, clock, payload)
      })
    },
  })
  bus.subscribe(sessionStatusChanged, {
    service: 'console',
    prefetch: 16,
    handle: async ({ id, payload }) => {
      await database.transaction(async (tx) => {
        if (await inbox.claim(tx, 'console.session.status_changed', id)) await tellMove(tx, clock, payload)
      })
    },
  })
  bus.subscribe(sessionPurged, {
    service: 'console',
    handle: (message) => forgetSession(operations, message),
  })
  bus.respond(setUpAppRequest, (request) => setUpApp(operations, request))
  bus.respond(recoverOwnerRequest, ({ email }) => recoverOwner(operations, email))
}
