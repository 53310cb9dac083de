import { type Bus, inbox } from '@kyc/bus'
import {
  appConfigured,
  checkCompleted,
  createWorkflow,
  findSessionLinks,
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
import { refuseConsent } from '../operations/refuse-consent.ts'
import { startSession } from '../operations/start-session.ts'
import { submitSession } from '../operations/submit-session.ts'
import { upsertApp } from '../store/apps.ts'
import { findSessionTokens } from '../store/sessions.ts'
import { insertWorkflow } from '../store/workflows.ts'

const service = 'session'

/** What this service hears and answers. */
export function subscribe(bus: Bus, operations: Operations): void {
  const { database, prisma, clock } = operations

  bus.subscribe(appConfigured, {
    service,
    handle: async ({ id, payload }) => {
      await database.transaction(async (tx) => {
        if (await inbox.claim(tx, 'session.app.configured', id)) await upsertApp(tx, payload)
      })
    },
  })
  bus.subscribe(checkCompleted, {
    service,
    prefetch: 16,
    handle: ({ id, payload, traceparent }) => recordCheck(operations, id, payload, traceparent),
  })
  bus.subscribe(sessionPurgeConfirmed, {
    service,
    handle: (message) => confirmPurge(operations, message),
  })

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
