import { z } from 'zod'
import { analytics } from '../domain/analytics.ts'
import {
  assignment,
  evidenceItem,
  matchVerdict,
  queueFilter,
  reviewRecord,
  sessionFacts,
  sessionFilter,
  sessionListItem,
} from '../domain/console-session.ts'
import { environment, sessionId, userId } from '../domain/ids.ts'
import { decision } from '../domain/session.ts'
import { decisionReason } from '../domain/session-state.ts'
import { calendarDate, timestamp } from '../domain/timestamp.ts'
import { createdSession, createSessionBody } from '../endpoints/sessions.ts'
import { defineRequest } from './define.ts'
import { sealed } from './sealed.ts'

/** The console's requests to `session`. A session of another app is `not_found`. */
const app = z.object({ app_id: z.string().max(128) })
const scope = app.extend({ session_id: z.string().max(128) })
/** The actor and their IP address; both are recorded in the audit log. */
const by = z.object({ user_id: userId, ip: z.string().nullable() })
export type ActingUser = z.infer<typeof by>

const page = z.object({ cursor: z.string().max(128).nullable(), limit: z.int().min(1).max(100) })

/** Hex of `nameHash`. A name matches when it contains at least one hash of every group. */
const nameHashes = z.array(z.array(z.string().regex(/^[0-9a-f]{32}$/)).min(1)).max(8)

export const searchSessions = defineRequest(
  'session.search',
  1,
  app.extend(page.shape).extend({ filter: sessionFilter, name_hashes: nameHashes }),
  z.object({
    data: z.array(sessionListItem),
    next_cursor: z.string().nullable(),
    total: z.int().min(0).nullable(),
  }),
)

export const listReviewQueue = defineRequest(
  'session.queue',
  1,
  app.extend(page.shape).extend({ filter: queueFilter }),
  z.object({
    data: z.array(
      sessionListItem.extend({
        /** The `document` and `aml` checks as sealed by the services that own them, context `check_data`. */
        sealed_checks: z.array(sealed),
        reviewed_matches: z.array(z.string()),
      }),
    ),
    next_cursor: z.string().nullable(),
    waiting: z.int().min(0),
  }),
)

/** Assigns the unassigned session that has waited longest. */
export const takeNextInReview = defineRequest(
  'session.take_next',
  1,
  app.extend({ by, reason: decisionReason.nullable(), workflow_id: z.string().nullable() }),
  z.object({ session_id: sessionId.nullable() }),
)

/** The personal part of a session, sealed as one value under context `session_detail`. */
export const sessionDetailContents = z.object({
  decision,
  notes: z.array(z.object({ id: z.string(), author_id: userId, at: timestamp, text: z.string() })),
  /** In the order of `reviews`. */
  review_notes: z.array(z.string().nullable()),
})

export const sessionDetail = sessionFacts.extend({
  evidence: z.array(evidenceItem),
  /** `sessionDetailContents`; null once the session is purged, when only `purged_decision` remains. */
  sealed_contents: sealed.nullable(),
  /** The decision object without personal data. */
  purged_decision: decision.nullable(),
})
export const getSessionDetail = defineRequest('session.detail', 1, scope, sessionDetail)

/** Which objects of a session may be shown; `not_found` when the session or the object does not exist. */
export const findEvidenceObject = defineRequest(
  'session.evidence_object',
  1,
  scope.extend({ object_id: z.string().max(128) }),
  evidenceItem,
)

export const createSessionByUser = defineRequest(
  'session.create',
  1,
  app.extend({
    environment,
    by,
    /** `createSessionBody`, sealed under the app's key (context `session.body`), because it may name a person. */
    sealed_body: sealed,
  }),
  /** `link` is sealed under the app's key (context `session.link`), because it gives access to the flow. */
  z.object({ sealed_created: sealed }),
)
export const createSessionContents = createSessionBody
export const createdSessionContents = createdSession

/** Why a change was rejected, and who made the conflicting change. */
const lost = z.object({
  outcome: z.literal('conflict'),
  status: sessionListItem.shape.status,
  /** The conflicting decision; null when it was not made by a person. */
  review: reviewRecord.nullable(),
  /** The current assignment, if that is the reason. */
  assignment: assignment.nullable(),
})
const done = z.object({ outcome: z.literal('done') })
const changed = z.discriminatedUnion('outcome', [done, lost])

/** `user_id` null releases the session. A session assigned to another user is rejected unless `take_over` is set. */
export const assignSession = defineRequest(
  'session.assign',
  1,
  scope.extend({ by, user_id: userId.nullable(), take_over: z.boolean() }),
  z.discriminatedUnion('outcome', [done.extend({ assignment: assignment.nullable() }), lost]),
)

/** `sealed_note`: a string, context `note`. */
export const addSessionNote = defineRequest(
  'session.add_note',
  1,
  scope.extend({ by, sealed_note: sealed }),
  z.object({ id: z.string(), at: timestamp }),
)

/** Compare-and-set on `sequence`, the one the reviewer saw. */
export const reviewSession = defineRequest(
  'session.review',
  1,
  scope.extend({
    by,
    sequence: z.int().min(0),
    status: z.enum(['approved', 'declined']),
    reason: decisionReason.nullable(),
    sealed_note: sealed.nullable(),
  }),
  changed,
)

/** in_review to in_progress: starts a new round of the hosted flow under the same link. */
export const askForAnotherTry = defineRequest(
  'session.ask_again',
  1,
  scope.extend({ by, sequence: z.int().min(0), sealed_note: sealed.nullable() }),
  changed,
)

export const reviewAmlMatch = defineRequest(
  'session.review_match',
  1,
  scope.extend({
    by,
    match_id: z.string().max(128),
    verdict: matchVerdict,
    sealed_note: sealed.nullable(),
  }),
  changed,
)

/** Screens the session's name on the current lists; `conflict` unless the session is in review or monitored. */
export const rescreenSession = defineRequest(
  'session.rescreen',
  1,
  scope.extend({ by }),
  z.object({ matches: z.int().min(0) }),
  { deadline_ms: 30_000 },
)

export const purgeSessionByUser = defineRequest('session.purge', 1, scope.extend({ by }), z.object({}), {
  deadline_ms: 30_000,
})

export const getAnalytics = defineRequest(
  'session.analytics',
  1,
  app.extend({ from: calendarDate, to: calendarDate, workflow_id: z.string().nullable() }),
  analytics,
)
