import { z } from 'zod'
import { check } from './checks.ts'
import { identity } from './identity.ts'
import { sessionId, workflowId } from './ids.ts'
import { decisionReason, sessionStatus } from './session-state.ts'
import { timestamp } from './timestamp.ts'

export const vendorData = z.string().max(256)

export const createdVia = z.enum(['api', 'console'])

/** Section 2.2. */
export const sessionSummary = z.object({
  session_id: sessionId,
  status: sessionStatus,
  decision_reason: decisionReason.nullable(),
  workflow_id: workflowId,
  vendor_data: z.string().nullable(),
  created_via: createdVia,
  created_at: timestamp,
  updated_at: timestamp,
  started_at: timestamp.nullable(),
  submitted_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  expires_at: timestamp,
  purged_at: timestamp.nullable(),
})
export type SessionSummary = z.infer<typeof sessionSummary>

/** `reviewed_by` is null when the decision was made with an API key. */
export const review = z.object({
  reviewed_by: z.string().nullable(),
  reviewed_at: timestamp,
  note: z.string().nullable(),
})
export type Review = z.infer<typeof review>

/** Section 2.3. Personal. */
export const decision = z.object({
  session_id: sessionId,
  status: sessionStatus,
  decision_reason: decisionReason.nullable(),
  workflow_id: workflowId,
  vendor_data: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  identity,
  checks: z.array(check),
  review: review.nullable(),
  created_at: timestamp,
  submitted_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  expires_at: timestamp,
})
export type Decision = z.infer<typeof decision>
