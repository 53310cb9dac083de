import { type Bus, TransientError } from '@kyc/bus'
import {
  blockSessionFace,
  createLivenessChallenge,
  evaluateLiveness as evaluateLivenessRequest,
  listBlockedFaces,
  sessionPurged,
  sessionStatusChanged,
  sessionSubmitted,
  toTimestamp,
  UnavailableError,
  unblockSessionFace,
} from '@kyc/common'
import { blockFace, unblockFace } from '../operations/block-face.ts'
import { checkSession } from '../operations/check-session.ts'
import type { Operations } from '../operations/context.ts'
import { createChallenge } from '../operations/create-challenge.ts'
import { evaluateLiveness } from '../operations/evaluate-liveness.ts'
import { forgetSession } from '../operations/forget-session.ts'
import { listBlockedFaces as blockedFacesOf } from '../store/blocked-faces.ts'
import { setFaceStatus } from '../store/faces.ts'

const service = 'face-biometrics'

/** What this service hears and answers. */
export function subscribe(bus: Bus, operations: Operations): void {
  bus.subscribe(sessionSubmitted, {
    service,
    prefetch: 2,
    handle: async ({ id, payload, traceparent, correlationId }) => {
      try {
        await checkSession(operations, id, payload, { traceparent, correlationId })
      } catch (error) {
        // A full queue says nothing about the message: it waits and uses up no attempt.
        throw error instanceof UnavailableError ? new TransientError(error.message) : error
      }
    },
  })
  bus.subscribe(sessionPurged, {
    service,
    handle: ({ id, payload, traceparent }) => forgetSession(operations, id, payload, traceparent),
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
