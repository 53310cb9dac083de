import { z } from 'zod'
import { matchReview } from './aml.ts'
import { severity } from './checks.ts'
import { documentType } from './identity.ts'
import { objectId, sessionId, userId, workflowId } from './ids.ts'
import { sessionSummary } from './session.ts'
import { decisionReason, sessionStatus } from './session-state.ts'
import { timestamp } from './timestamp.ts'
import { workflowConfig } from './workflow.ts'

/**
 * The reviewer to whom a session in review is assigned. The assignment is soft: another reviewer can take the session
 * after `held_until`, or earlier by taking it over.
 */
export const assignment = z.object({ user_id: userId, assigned_at: timestamp, held_until: timestamp })
export type Assignment = z.infer<typeof assignment>

/** The number of warnings of medium or high severity in a session's checks, and the highest severity. */
export const warningCount = z.object({ count: z.int().min(0), worst: severity.nullable() })

/** A session as the console lists it. Contains nothing personal except the client's own `vendor_data`. */
export const sessionListItem = sessionSummary.extend({
  workflow_name: z.string(),
  workflow_version: z.int().min(1),
  round: z.int().min(1),
  in_review_since: timestamp.nullable(),
  assignment: assignment.nullable(),
  warnings: warningCount,
})
export type SessionListItem = z.infer<typeof sessionListItem>

/** The possible verdicts of a reviewer on a match. */
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

/**
 * What an image of a session shows: an upload, a face cropped from it, or the upload with the detected faces marked.
 */
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

/** The events of a session, oldest first; ids and codes only. */
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

/** A purge, and which services have confirmed that no data is left. */
export const purgeState = z.object({
  purged_at: timestamp,
  /** When the last service confirmed; null while confirmations are missing. */
  completed_at: timestamp.nullable(),
  confirmations: z.array(
    z.object({
      service: z.string(),
      deleted: z.record(z.string(), z.int().min(0)),
      confirmed_at: timestamp,
    }),
  ),
})

/** A reviewer's decision; `reason` is the reviewer's own code, in addition to the session's `decision_reason`. */
export const reviewRecord = z.object({
  status: z.enum(['approved', 'declined', 'in_progress']),
  reason: decisionReason.nullable(),
  actor: eventActor,
  at: timestamp,
})

/** The fields of a session that the console can show without opening sealed values. */
export const sessionFacts = z.object({
  session: sessionListItem,
  environment: z.enum(['test', 'live']),
  /** Must be sent with a decision, which is rejected if the session has changed since. */
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

/** A reference to a session and the type of event, for live updates. */
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
