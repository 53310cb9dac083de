import type { Bus } from '@kyc/bus'
import {
  blockSessionDocument,
  listBlockedDocuments,
  readUploadedDocument,
  sessionPurged,
  sessionStatusChanged,
  sessionSubmitted,
  unblockSessionDocument,
} from '@kyc/common'
import { blockDocument, unblockDocument } from '../operations/block-document.ts'
import type { SessionChecks } from '../operations/context.ts'
import { forgetSession } from '../operations/forget-session.ts'
import { judgeSubmitted } from '../operations/judge-submitted-session.ts'
import { readUploaded } from '../operations/read-uploaded-document.ts'

const service = 'checks'

/** What this service hears and answers for sessions. */
export function subscribe(bus: Bus, checks: SessionChecks): void {
  bus.respond(readUploadedDocument, (request, { traceparent, correlationId }) =>
    readUploaded(checks, request, { traceparent, correlationId }),
  )
  bus.respond(blockSessionDocument, (scope) => blockDocument(checks, scope))
  bus.respond(unblockSessionDocument, async (entry) => {
    await unblockDocument(checks, entry)
    return {}
  })
  bus.respond(listBlockedDocuments, async ({ app_id }) => ({
    data: await checks.blocked.list(checks.deps.database, app_id),
  }))
  bus.subscribe(sessionSubmitted, {
    service,
    prefetch: 4,
    handle: (message) => judgeSubmitted(checks, message),
  })
  bus.subscribe(sessionPurged, { service, handle: (message) => forgetSession(checks, message) })
  bus.subscribe(sessionStatusChanged, {
    service,
    handle: ({ payload }) =>
      checks.fingerprints.setStatus(checks.deps.database, payload, payload.status, payload.sequence),
  })
}
