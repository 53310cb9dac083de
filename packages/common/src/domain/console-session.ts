import { z } from 'zod'
import { matchReview } from './aml.ts'
import { severity } from './checks.ts'
import { documentType } from './identity.ts'
import { objectId, sessionId, userId, workflowId } from './ids.ts'
import { sessionSummary } from './session.ts'
import { decisionReason, sessionStatus } from './session-state.ts'
import { timestamp } from './timestamp.ts'
import { workflowConfig } from './workflow.ts'

/** Who holds a session in review. The hold is soft: after `held_until`, or by taking over, another may have it. */
export const assignment = z.object({ user_id: userId, assigned_at: timestamp, held_until: timestamp })
export type Assignment = z.infer<typeof assignment>

/** How many warnings of medium or high severity a session's checks gave, and the worst of them. */
export const warningCount = z.object({ count: z.int().min(0), worst: severity.nullable() })

/** A session as the console lists it. Nothing personal but the client's own `vendor_data`. */
export const sessionListItem = sessionSummary.extend({
  workflow_name: z.string(),
  workflow_version: z.int().min(1),
  round: z.int().min(1),
  in_review_since: timestamp.nullable(),
  assignment: assignment.nullable(),
  warnings: warningCount,
})
export type SessionListItem = z.infer<typeof sessionListItem>

/** What a reviewer's match verdict may be. */
export const matchVerdict = matchReview.shape.status.exclude(['unreviewed'])
export type MatchVerdict = z.infer<typeof matchVerdict>

export const sessionFilter = z.object({
  statuses: z.array(sessionStatus).max(8),
  workflow_id: workflowId.nullable(),
  reason: decisionReason.nullable(),
  warning: z.string().max(64).nullable(),
  /** A user's id, or `none`. */
  assignee: z.union([userId, z.literal('none')]).nullable(),
  vendor_data: z.string().max(256).nullable(),
  session_id: z.string().max(128).nullable(),
  created_from: timestamp.nullable(),
  /** Exclusive. */
  created_to: timestamp.nullable(),
})
export type SessionFilter = z.infer<typeof sessionFilter>

export const queueFilter = z.object({
  /** A user's id, or `none`. */
  assignee: z.union([userId, z.literal('none')]).nullable(),
  reason: decisionReason.nullable(),
  workflow_id: workflowId.nullable(),
  waiting_since_before: timestamp.nullable(),
})
export type QueueFilter = z.infer<typeof queueFilter>

/** What a picture of a session shows: what was uploaded, the faces cut out of it, and it with the found faces drawn in. */
export const evidenceItemKinds = [
  'document_front',
  'document_back',
  'liveness_frame',
  'document_portrait',
  'selfie',
  'document_faces',
  'selfie_faces',
] as const

export const evidenceItem = z.object({
  object_id: objectId,
  kind: z.enum(evidenceItemKinds),
  round: z.int().min(1),
  document_type: documentType.nullable(),
  capture_method: z.enum(['camera', 'upload']).nullable(),
})
export type EvidenceItem = z.infer<typeof evidenceItem>

export const eventActor = z.object({
  type: z.enum(['user', 'api_key', 'system', 'end_user']),
  id: z.string().nullable(),
})
export type EventActor = z.infer<typeof eventActor>

/** What happened to a session, oldest first: ids and codes only. */
export const timelineKinds = [
  'created',
  'status_changed',
  'step_completed',
  'page_event',
  'check_completed',
  'assigned',
  'released',
  'note_added',
  'match_reviewed',
  'rescreened',
  'purged',
] as const
export const timelineEntry = z.object({
  at: timestamp,
  kind: z.enum(timelineKinds),
  actor: eventActor,
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type TimelineEntry = z.infer<typeof timelineEntry>

/** A purge and which services have confirmed that nothing is left. */
export const purgeState = z.object({
  purged_at: timestamp,
  /** When all had confirmed; null while some have not. */
  completed_at: timestamp.nullable(),
  confirmations: z.array(
    z.object({
      service: z.string(),
      deleted: z.record(z.string(), z.int().min(0)),
      confirmed_at: timestamp,
    }),
  ),
})

/** A person's decision; `reason` is the reviewer's own code, beside the session's `decision_reason`. */
export const reviewRecord = z.object({
  status: z.enum(['approved', 'declined', 'in_progress']),
  reason: decisionReason.nullable(),
  actor: eventActor,
  at: timestamp,
})

/** What of a session the console may show without opening anything sealed. */
export const sessionFacts = z.object({
  session: sessionListItem,
  environment: z.enum(['test', 'live']),
  /** What a decision must name: it is refused when the session has moved on. */
  sequence: z.int().min(0),
  workflow: z.object({ id: workflowId, name: z.string(), version: z.int(), config: workflowConfig }),
  timeline: z.array(timelineEntry),
  reviews: z.array(reviewRecord),
  purge: purgeState.nullable(),
})

export const sessionNote = z.object({
  id: z.string(),
  author_id: userId,
  at: timestamp,
  text: z.string(),
})
export type SessionNote = z.infer<typeof sessionNote>

/** A reference to a session with what happened to it, for live updates. */
export const liveEventTypes = [
  'session.created',
  'session.status_changed',
  'session.assigned',
  'session.noted',
  'session.match_reviewed',
  'session.rescreened',
  'session.purged',
  'workflow.changed',
] as const
export const liveEvent = z.object({
  type: z.enum(liveEventTypes),
  session_id: sessionId.nullable(),
  workflow_id: workflowId.nullable(),
  status: sessionStatus.nullable(),
  at: timestamp,
})
export type LiveEvent = z.infer<typeof liveEvent>
