import { type Bus, TransientError } from '@kyc/bus'
import {
  createLivenessChallenge,
  evaluateLiveness as evaluateLivenessRequest,
  sessionPurged,
  sessionStatusChanged,
  sessionSubmitted,
  UnavailableError,
} from '@kyc/common'
import { checkSession } from '../operations/check-session.ts'
import type { Operations } from '../operations/context.ts'
import { createChallenge } from '../operations/create-challenge.ts'
import { evaluateLiveness } from '../operations/evaluate-liveness.ts'
import { forgetSession } from '../operations/forget-session.ts'
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
  bus.respond(createLivenessChallenge, (request) => createChallenge(operations, request))
  bus.respond(
    evaluateLivenessRequest,
    (request, { traceparent }) => evaluateLiveness(operations, request, traceparent),
    { prefetch: 2 },
  )
}
