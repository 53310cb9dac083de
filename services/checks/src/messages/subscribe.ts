import { type Bus, createConsumer } from '@kyc/bus'
import {
  blockSessionDocument,
  listBlockedDocuments,
  readUploadedDocument,
  sessionStatusChanged,
  sessionSubmitted,
  unblockSessionDocument,
} from '@kyc/common'
import { consumePurges } from '@kyc/host'
import { blockDocument, unblockDocument } from '../operations/block-document.ts'
import type { SessionChecks } from '../operations/context.ts'
import { deleteSession } from '../operations/delete-session.ts'
import { judgeSubmittedSession } from '../operations/judge-submitted-session.ts'
import { readUploaded } from '../operations/read-uploaded-document.ts'

const service = 'checks'

/** The events that this service consumes and the requests that it handles. */
export function subscribe(bus: Bus, checks: SessionChecks): void {
  const { deps, outbox } = checks
  const consumer = createConsumer({ service, bus, database: deps.database, outbox })
  consumer.consume(sessionSubmitted, judgeSubmittedSession(checks))
  consumePurges(consumer, { service, deleteSession: (tx, scope) => deleteSession(checks, tx, scope) })
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
  bus.subscribe(sessionStatusChanged, {
    service,
    handle: ({ payload }) =>
      checks.fingerprints.setStatus(checks.deps.database, payload, payload.status, payload.sequence),
  })
}
