import { type Bus, createConsumer } from '@kyc/bus'
import {
  appConfigured,
  checkCompleted,
  createWorkflow,
  findSessionLinks,
  flowProgressed,
  openSession as openSessionRequest,
  refuseConsent as refuseConsentRequest,
  sessionPurgeConfirmed,
  startSession as startSessionRequest,
  submitSession as submitSessionRequest,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import { confirmPurge } from '../operations/confirm-purge.ts'
import type { Operations } from '../operations/context.ts'
import { openSession } from '../operations/open-session.ts'
import { recordCheck } from '../operations/record-check.ts'
import { recordFlowProgress } from '../operations/record-flow-progress.ts'
import { refuseConsent } from '../operations/refuse-consent.ts'
import { startSession } from '../operations/start-session.ts'
import { submitSession } from '../operations/submit-session.ts'
import { upsertApp } from '../store/apps.ts'
import { findSessionTokens } from '../store/sessions.ts'
import { insertWorkflow } from '../store/workflows.ts'

const service = 'session'

/** Registers the consumers of events and the handlers of requests. */
export function subscribe(bus: Bus, operations: Operations): void {
  const { database, outbox, prisma, clock } = operations
  const consumer = createConsumer({ service, bus, database, outbox })

  consumer.consume(appConfigured, { handle: (tx, { payload }) => upsertApp(tx, payload) })
  consumer.consume(checkCompleted, recordCheck(operations))
  consumer.consume(flowProgressed, { prefetch: 16, handle: recordFlowProgress })
  consumer.consume(sessionPurgeConfirmed, { handle: (tx, message) => confirmPurge(operations, tx, message) })

  bus.respond(openSessionRequest, ({ token_sha256 }) => openSession(operations, token_sha256))
  bus.respond(findSessionLinks, async ({ token_sha256 }) => ({
    known: await findSessionTokens(database, token_sha256),
  }))
  bus.respond(startSessionRequest, (request) => startSession(operations, request))
  bus.respond(refuseConsentRequest, (request) => refuseConsent(operations, request))
  bus.respond(submitSessionRequest, (request, { traceparent }) =>
    submitSession(operations, request, traceparent),
  )
  bus.respond(createWorkflow, (request) =>
    insertWorkflow(prisma, { id: newId('workflow'), ...request, at: clock.now() }),
  )
}
