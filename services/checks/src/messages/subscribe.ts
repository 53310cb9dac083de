import type { Bus } from '@kyc/bus'
import { readUploadedDocument, sessionPurged, sessionStatusChanged, sessionSubmitted } from '@kyc/common'
import type { SessionChecks } from './context.ts'
import { forgetSession } from './forget-session.ts'
import { judgeSubmitted } from './judge-submitted-session.ts'
import { readUploaded } from './read-uploaded-document.ts'

const service = 'checks'

/** What this service hears and answers for sessions. */
export function subscribe(bus: Bus, checks: SessionChecks): void {
  bus.respond(readUploadedDocument, (request, { traceparent, correlationId }) =>
    readUploaded(checks, request, { traceparent, correlationId }),
  )
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
