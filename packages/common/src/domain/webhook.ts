import { z } from 'zod'
import { appId, deliveryId, environment, sessionId, workflowId } from './ids.ts'
import { decision } from './session.ts'
import { sessionStatus } from './session-state.ts'
import { timestamp } from './timestamp.ts'

/** Section 6.1. */
export const statusUpdatedData = z.object({
  session_id: sessionId,
  status: sessionStatus,
  previous_status: sessionStatus,
  vendor_data: z.string().nullable(),
  workflow_id: workflowId,
  /** The decision object for approved, declined and in_review; otherwise null. */
  decision: decision.nullable(),
})

export const pingData = z.object({ app_id: appId, environment, message: z.string() })

export const webhookEventNames = ['session.status_updated', 'ping'] as const
export type WebhookEventName = (typeof webhookEventNames)[number]

/** Section 6.2: the body of a delivery. */
export const webhookBody = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('session.status_updated'),
    delivery_id: deliveryId,
    created_at: timestamp,
    data: statusUpdatedData,
  }),
  z.object({ event: z.literal('ping'), delivery_id: deliveryId, created_at: timestamp, data: pingData }),
])
export type WebhookBody = z.infer<typeof webhookBody>

/** Section 6.2: the headers of a delivery, all lower case. */
export const webhookHeaders = {
  event: 'x-kyc-event',
  delivery: 'x-kyc-delivery',
  timestamp: 'x-kyc-timestamp',
  signature: 'x-kyc-signature',
} as const

export const deliveryAttempt = z.object({
  number: z.int().min(1),
  at: timestamp,
  status_code: z.int().nullable(),
  error: z.string().nullable(),
  response_excerpt: z.string().nullable(),
  duration_ms: z.int().min(0),
})

export const deliveryStatus = z.enum(['pending', 'delivering', 'delivered', 'failed'])

export const webhookDelivery = z.object({
  delivery_id: deliveryId,
  event: z.enum(webhookEventNames),
  session_id: sessionId.nullable(),
  status: deliveryStatus,
  attempts: z.array(deliveryAttempt),
  next_attempt_at: timestamp.nullable(),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>
