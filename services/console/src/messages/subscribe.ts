import { createConsumer } from '@kyc/bus'
import {
  auditRecorded,
  recoverOwner as recoverOwnerRequest,
  sessionStatusChanged,
  setUpApp as setUpAppRequest,
} from '@kyc/common'
import { consumePurges } from '@kyc/host'
import { newId } from '@kyc/runtime'
import type { Operations } from '../operations/context.ts'
import { recoverOwner } from '../operations/recover-owner.ts'
import { setUpApp } from '../operations/set-up-app.ts'
import { appendAudit } from '../store/audit-log.ts'
import { tellAct, tellMove } from './tell-live.ts'

const service = 'console'

/** The events that this service consumes and the requests that it handles. */
export function subscribe(operations: Operations): void {
  const { bus, database, outbox, clock } = operations
  const consumer = createConsumer({ service, bus, database, outbox })
  consumer.consume(auditRecorded, {
    // The audit chain has a single writer, so further concurrent messages would only wait for its lock.
    prefetch: 1,
    handle: async (tx, { payload }) => {
      await appendAudit(tx, { id: newId('message'), ...payload })
      await tellAct(tx, clock, payload)
    },
  })
  consumer.consume(sessionStatusChanged, {
    prefetch: 16,
    handle: (tx, { payload }) => tellMove(tx, clock, payload),
  })
  // The console stores no personal data; the confirmation shows that no row refers to the session.
  consumePurges(consumer, { service })
  bus.respond(setUpAppRequest, (request) => setUpApp(operations, request))
  bus.respond(recoverOwnerRequest, ({ email }) => recoverOwner(operations, email))
}
