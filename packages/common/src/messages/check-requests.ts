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
 * Reads one uploaded side of a document while the person still has it at hand. `checks` stores what it read; the
 * response contains nothing personal. `issues`, the most useful first, lists what the person should improve.
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
    /** The last failing attempt is stored with its warnings. */
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

/** Creates a challenge for the session; `actions` is empty in passive mode. */
export const createLivenessChallenge = defineRequest(
  'liveness.challenge',
  1,
  z.object({ ...scope, config: workflowConfig }),
  z.object({ challenge_id: z.string(), actions: z.array(z.string()), expires_at: timestamp }),
)

/** Assesses the frames of one attempt. */
export const evaluateLiveness = defineRequest(
  'liveness.evaluate',
  1,
  z.object({
    ...scope,
    challenge_id: z.string(),
    frames: z.array(z.object({ object_id: objectId, sha256: z.string() })).min(1),
    /** The person cannot perform the challenge's movements: only the frames are assessed, and a reviewer decides. */
    without_movement: z.boolean().default(false),
    last_attempt: z.boolean(),
    config: workflowConfig,
    test_scenario: z.string().nullable(),
  }),
  z.object({ accepted: z.boolean(), issues: z.array(captureIssue) }),
  { deadline_ms: 30_000 },
)

/**
 * Screens a session's person again on the current lists. `sealed_identity` is the public `Identity`, context
 * `identity`; `sealed_check` is the whole `aml` check, context `check_data`. Stored verdicts on matches still apply.
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

/** Every active or configured list, and the files in the operator's folder that were rejected, with the reasons. */
export const getListStatus = defineRequest(
  'sanctions.lists',
  1,
  z.object({}),
  z.object({
    lists: z.array(listState),
    refused_files: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  }),
)

/** Starts a check of the sources now. */
export const refreshLists = defineRequest(
  'sanctions.refresh',
  1,
  z.object({ lists: z.array(z.string()).optional() }),
  z.object({ started: z.boolean() }),
)
