import { inbox } from '@kyc/bus'
import { auditRecorded, sessionPurged, setUpApp as setUpAppRequest } from '@kyc/common'
import { newId } from '@kyc/runtime'
import type { Operations } from '../operations/context.ts'
import { setUpApp } from '../operations/set-up-app.ts'
import { appendAudit } from '../store/audit-log.ts'
import { forgetSession } from './forget-session.ts'

/** What this service hears and answers. */
export function subscribe(operations: Operations): void {
  const { bus, database } = operations
  bus.subscribe(auditRecorded, {
    service: 'console',
    // One chain has one writer: more in flight would only wait for its lock.
    prefetch: 1,
    handle: async ({ id, payload }) => {
      await database.transaction(async (tx) => {
        if (!(await inbox.claim(tx, 'console.audit.recorded', id))) return
        await appendAudit(tx, { id: newId('message'), ...payload })
      })
    },
  })
  bus.subscribe(sessionPurged, {
    service: 'console',
    handle: (message) => forgetSession(operations, message),
  })
  bus.respond(setUpAppRequest, (request) => setUpApp(operations, request))
}
