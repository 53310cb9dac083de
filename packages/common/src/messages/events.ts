import { z } from 'zod'
import { matchReview } from '../domain/aml.ts'
import { check } from '../domain/checks.ts'
import { appId, environment, sessionId, workflowId } from '../domain/ids.ts'
import { decisionReason, sessionStatus } from '../domain/session-state.ts'
import { timestamp } from '../domain/timestamp.ts'
import { workflowConfig } from '../domain/workflow.ts'
import { defineEvent } from './define.ts'
import { evidenceRef } from './evidence.ts'
import { sealed } from './sealed.ts'

const scope = { app_id: appId, session_id: sessionId }

/** The round of a session: starts at 1 and increments each time a reviewer requests resubmission. */
const round = z.int().min(1)

/** An app was created or changed. Consumed by services that store a copy of its settings. */
export const appConfigured = defineEvent(
  'app.configured',
  1,
  z.object({
    app_id: appId,
    revision: z.int().min(1),
    environment,
    name: z.string(),
    logo_url: z.string().nullable(),
    accent: z.string().nullable(),
    retention_days: z.int().min(1),
    callback_hosts: z.array(z.string()).nullable().default(null),
  }),
)

/** Published in the transaction of every transition. `sequence` orders the transitions of one session. */
export const sessionStatusChanged = defineEvent(
  'session.status_changed',
  1,
  z.object({
    ...scope,
    sequence: z.int().min(1),
    status: sessionStatus,
    previous_status: sessionStatus,
    decision_reason: decisionReason.nullable(),
    vendor_data: z.string().nullable(),
    workflow_id: workflowId,
    /** The decision object, context `decision`, for approved, declined and in_review; otherwise null. */
    sealed_decision: sealed.nullable(),
    occurred_at: timestamp,
  }),
)

/** The person submitted the session: every checker that owns an enabled check kind publishes `check.completed`. */
export const sessionSubmitted = defineEvent(
  'session.submitted',
  1,
  z.object({
    ...scope,
    round,
    environment,
    workflow_id: workflowId,
    config: workflowConfig,
    vendor_data: z.string().nullable(),
    evidence: z.array(evidenceRef),
    /** The person's IP address, context `client_address`; null when unknown. */
    sealed_client_address: sealed.nullable(),
    submitted_at: timestamp,
    /** Test apps only. */
    test_scenario: z.string().nullable(),
  }),
)

/**
 * What the documents contain, published by `checks` for every submitted session, so that services that need a name have
 * one. `sealed_identity` (context `identity`) holds a `SubjectIdentity`; null when nothing could be read.
 */
export const identityExtracted = defineEvent(
  'identity.extracted',
  1,
  z.object({
    ...scope,
    round,
    environment,
    config: workflowConfig,
    sealed_identity: sealed.nullable(),
    test_scenario: z.string().nullable(),
  }),
)

/**
 * The outcome of one check. Before the submission (`final: false`) it only shows progress; only the final one counts.
 * `sealed_check` (context `check_data`) holds a whole `Check`, because its data and warnings may be personal.
 */
export const checkCompleted = defineEvent(
  'check.completed',
  1,
  z.object({
    ...scope,
    round,
    final: z.boolean(),
    kind: check.shape.kind,
    /** A `duplicate` check has two publishers: `checks` for the document, `face-biometrics` for the face. */
    part: z.enum(['document', 'face']).nullable().default(null),
    status: check.shape.status,
    sealed_check: sealed,
    /** With the final `document` check: the same value as in `identity.extracted`, so that both arrive together. */
    sealed_identity: sealed.nullable().default(null),
    /** A list update produced a new match for this person after the session was approved. */
    monitoring: z.boolean().default(false),
  }),
)

/** Every service deletes its data of the session and publishes `session.purge_confirmed`. */
export const sessionPurged = defineEvent('session.purged', 1, z.object({ ...scope, purged_at: timestamp }))

export const sessionPurgeConfirmed = defineEvent(
  'session.purge_confirmed',
  1,
  z.object({
    ...scope,
    service: z.string(),
    /** Number of deleted rows and files, by kind. */
    deleted: z.record(z.string(), z.int().min(0)),
    /** Rows per table that still refer to the person, counted after the deletion in the same transaction: all 0. */
    remaining: z.record(z.string(), z.int().min(0)),
  }),
)

/** A list version became active. Replicas load it, and monitoring screens persons against its changes. */
export const sanctionsListUpdated = defineEvent(
  'sanctions.list_updated',
  1,
  z.object({
    list: z.string(),
    version: z.string(),
    previous_version: z.string().nullable(),
    added: z.int().min(0),
    changed: z.int().min(0),
    removed: z.int().min(0),
  }),
)

/**
 * A reviewer set the verdict on one match of a session's `aml` check. Consumed by `sanctions-screening`, which stores a
 * false positive for the same person and the same version of the entity.
 */
export const amlMatchReviewed = defineEvent(
  'aml.match_reviewed',
  1,
  z.object({
    ...scope,
    match_id: z.string(),
    list: z.string(),
    list_version: z.string(),
    entity_id: z.string(),
    verdict: matchReview.shape.status.exclude(['unreviewed']),
    /** The public `Identity` that was screened, context `identity`; null when nothing was read. */
    sealed_identity: sealed.nullable(),
    reviewed_at: timestamp,
  }),
)

/**
 * The progress of a person in the hosted flow: a completed step, or an event on the page (a denied camera, a retake).
 */
export const flowProgressed = defineEvent(
  'flow.progressed',
  1,
  z.object({
    ...scope,
    round,
    kind: z.enum(['step_completed', 'page_event']),
    /** The step's key, or the page event's name. */
    name: z.string().max(64),
    /** For a completed step: the failed attempts before it. */
    attempts_used: z.int().min(0),
    occurred_at: timestamp,
  }),
)

/** An action to record in the audit log. Ids and codes only, so that a purge never has to rewrite the chain. */
export const auditRecorded = defineEvent(
  'audit.recorded',
  1,
  z.object({
    app_id: appId,
    at: timestamp,
    actor: z.object({ type: z.enum(['user', 'api_key', 'system', 'end_user']), id: z.string().nullable() }),
    action: z.string(),
    target: z.string(),
    /** For console users only: their IP address. */
    ip: z.string().nullable().default(null),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
)

export const events = {
  auditRecorded,
  appConfigured,
  sessionStatusChanged,
  sessionSubmitted,
  identityExtracted,
  checkCompleted,
  sessionPurged,
  sessionPurgeConfirmed,
  sanctionsListUpdated,
  amlMatchReviewed,
  flowProgressed,
}
