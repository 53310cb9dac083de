import { type Bus, createConsumer } from '@kyc/bus'
import {
  blockSessionFace,
  createLivenessChallenge,
  evaluateLiveness as evaluateLivenessRequest,
  listBlockedFaces,
  sessionStatusChanged,
  sessionSubmitted,
  toTimestamp,
  unblockSessionFace,
} from '@kyc/common'
import { consumePurges } from '@kyc/host'
import { blockFace, unblockFace } from '../operations/block-face.ts'
import { checkSession } from '../operations/check-session.ts'
import type { Operations } from '../operations/context.ts'
import { createChallenge } from '../operations/create-challenge.ts'
import { evaluateLiveness } from '../operations/evaluate-liveness.ts'
import { listBlockedFaces as blockedFacesOf } from '../store/blocked-faces.ts'
import { setFaceStatus } from '../store/faces.ts'
import { deleteSession, retainedTables } from '../store/purge.ts'

const service = 'face-biometrics'

/** The events that this service consumes and the requests that it handles. */
export function subscribe(bus: Bus, operations: Operations): void {
  const { database, outbox, gallery } = operations
  const consumer = createConsumer({ service, bus, database, outbox })
  consumer.consume(sessionSubmitted, checkSession(operations))
  consumePurges(consumer, {
    service,
    deleteSession,
    retained: retainedTables,
    afterCommit: ({ app_id, session_id }) => gallery.forget(app_id, session_id),
  })
  bus.subscribe(sessionStatusChanged, {
    service,
    handle: ({ payload }) => setFaceStatus(operations.database, payload, payload.status),
  })
  bus.respond(blockSessionFace, (request) => blockFace(operations, request))
  bus.respond(unblockSessionFace, async (request) => {
    await unblockFace(operations, request)
    return {}
  })
  bus.respond(listBlockedFaces, async ({ app_id }) => ({
    data: (await blockedFacesOf(operations.prisma, app_id)).map(({ id, createdAt }) => ({
      id,
      created_at: toTimestamp(createdAt),
    })),
  }))
  bus.respond(createLivenessChallenge, (request) => createChallenge(operations, request))
  bus.respond(
    evaluateLivenessRequest,
    (request, { traceparent }) => evaluateLiveness(operations, request, traceparent),
    { prefetch: 2 },
  )
}
