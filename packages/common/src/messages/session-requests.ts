import { z } from 'zod'
import { check } from '../domain/checks.ts'
import { appId, environment, sessionId, workflowId } from '../domain/ids.ts'
import { sessionStatus } from '../domain/session-state.ts'
import { timestamp } from '../domain/timestamp.ts'
import { workflow, workflowConfig } from '../domain/workflow.ts'
import { defineRequest } from './define.ts'
import { evidenceRef } from './evidence.ts'
import { sealed } from './sealed.ts'

/** A session as the hosted flow needs it. */
export const flowSession = z.object({
  app_id: appId,
  session_id: sessionId,
  environment,
  round: z.int().min(1),
  status: sessionStatus,
  workflow_id: workflowId,
  config: workflowConfig,
  app: z.object({ name: z.string(), logo_url: z.string().nullable(), accent: z.string().nullable() }),
  callback_url: z.string().nullable(),
  /** `{email}` given at creation, context `email`; null when absent. */
  sealed_contact_email: sealed.nullable(),
  expires_at: timestamp,
  test_scenario: z.string().nullable(),
})
export type FlowSession = z.infer<typeof flowSession>

/** Looks up a flow token (by its SHA-256, hex) and records activity; `not_found` for an unknown token. */
export const openSession = defineRequest(
  'session.open',
  1,
  z.object({ token_sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  flowSession,
)

const tokenHashes = z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(1_000)

/** Which of these flow tokens (SHA-256, hex) belong to a session. Has no side effects. */
export const findSessionLinks = defineRequest(
  'session.find_links',
  1,
  z.object({ token_sha256: tokenHashes }),
  z.object({ known: tokenHashes }),
  { deadline_ms: 5_000 },
)

/** Which of these flow tokens (SHA-256, hex) are known to the hosted flow, as tokens of sessions or hand-offs. */
export const findFlowLinks = defineRequest(
  'flow.find_links',
  1,
  z.object({ token_sha256: tokenHashes }),
  z.object({ known: tokenHashes }),
  { deadline_ms: 8_000 },
)

const scope = { app_id: appId, session_id: sessionId }

/** not_started to in_progress; returns the current status when the session was already started. */
export const startSession = defineRequest(
  'session.start',
  1,
  z.object(scope),
  z.object({ status: sessionStatus }),
)

/** The person refused consent: declined. `conflict` unless in progress. */
export const refuseConsent = defineRequest(
  'session.refuse_consent',
  1,
  z.object(scope),
  z.object({ status: sessionStatus }),
)

/** in_progress to processing. `conflict` in any other status. */
export const submitSession = defineRequest(
  'session.submit',
  1,
  z.object({
    ...scope,
    evidence: z.array(evidenceRef),
    /** The checks that the flow itself performs (consent, email), each a `Check` under context `check_data`. */
    sealed_checks: z.array(
      z.object({ kind: check.shape.kind, status: check.shape.status, sealed_check: sealed }),
    ),
    sealed_client_address: sealed.nullable(),
  }),
  z.object({ status: sessionStatus }),
)

/** Creates a workflow for an app. The first one, or one with `is_default`, becomes the default. */
export const createWorkflow = defineRequest(
  'workflow.create',
  1,
  z.object({
    app_id: appId,
    name: z.string().min(1).max(120),
    is_default: z.boolean(),
    config: workflowConfig,
  }),
  workflow,
)
