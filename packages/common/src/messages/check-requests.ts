import { z } from 'zod'
import { listState } from '../domain/aml.ts'
import { documentType } from '../domain/identity.ts'
import { appId, environment, objectId, sessionId } from '../domain/ids.ts'
import { timestamp } from '../domain/timestamp.ts'
import { workflowConfig } from '../domain/workflow.ts'
import { imageQuality } from '../endpoints/checks.ts'
import { captureIssue } from '../endpoints/flow.ts'
import { defineRequest } from './define.ts'
import { sealed } from './sealed.ts'

const scope = { app_id: appId, session_id: sessionId, round: z.int().min(1), environment }

/**
 * Reads one uploaded side of a document, while the person still holds it. `checks` keeps what it read; the answer
 * holds nothing personal. `issues`, the most useful first, is what the person should do better.
 */
export const readUploadedDocument = defineRequest(
  'document.read',
  1,
  z.object({
    ...scope,
    object_id: objectId,
    side: z.enum(['front', 'back']),
    document_type: documentType,
    country: z.string().nullable(),
    capture_method: z.enum(['camera', 'upload']),
    /** The last failing attempt is kept with its warnings. */
    last_attempt: z.boolean(),
    config: workflowConfig,
    test_scenario: z.string().nullable(),
  }),
  z.object({
    accepted: z.boolean(),
    quality: imageQuality,
    issues: z.array(captureIssue),
    needs_back: z.boolean(),
  }),
  { deadline_ms: 30_000 },
)

/** A challenge bound to the session; `actions` is empty in passive mode. */
export const createLivenessChallenge = defineRequest(
  'liveness.challenge',
  1,
  z.object({ ...scope, config: workflowConfig }),
  z.object({ challenge_id: z.string(), actions: z.array(z.string()), expires_at: timestamp }),
)

/** Judges the frames of one attempt. */
export const evaluateLiveness = defineRequest(
  'liveness.evaluate',
  1,
  z.object({
    ...scope,
    challenge_id: z.string(),
    frames: z.array(z.object({ object_id: objectId, sha256: z.string() })).min(1),
    /** The person cannot make the movements of the challenge: their pictures alone are judged, and a person decides. */
    without_movement: z.boolean().default(false),
    last_attempt: z.boolean(),
    config: workflowConfig,
    test_scenario: z.string().nullable(),
  }),
  z.object({ accepted: z.boolean(), issues: z.array(captureIssue) }),
  { deadline_ms: 30_000 },
)

/** Every list that serves or should, and the files of the operator's folder that serve none, with their reasons. */
/**
 * Screens a session's person again on the lists of now. `sealed_identity` is the public `Identity`, context `identity`;
 * `sealed_check` the whole `aml` check, context `check_data`. What is remembered of reviewed matches holds.
 */
export const screenAgain = defineRequest(
  'sanctions.screen_again',
  1,
  z.object({
    app_id: appId,
    session_id: sessionId,
    environment,
    config: workflowConfig,
    sealed_identity: sealed.nullable(),
    test_scenario: z.string().nullable(),
  }),
  z.object({ sealed_check: sealed }),
  { deadline_ms: 20_000 },
)

export const getListStatus = defineRequest(
  'sanctions.lists',
  1,
  z.object({}),
  z.object({
    lists: z.array(listState),
    refused_files: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  }),
)

/** Checks the sources now. */
export const refreshLists = defineRequest(
  'sanctions.refresh',
  1,
  z.object({ lists: z.array(z.string()).optional() }),
  z.object({ started: z.boolean() }),
)
