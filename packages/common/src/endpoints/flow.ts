import { z } from 'zod'
import { documentType } from '../domain/identity.ts'
import { sessionStatus } from '../domain/session-state.ts'
import { timestamp } from '../domain/timestamp.ts'
import { flowSteps } from '../domain/workflow.ts'
import { imageQuality } from './checks.ts'
import { defineContract, maxImageBytes, multipartOverheadBytes } from './define.ts'

const params = z.object({ token: z.string().min(1).max(256) })
const locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag')

export const stepStatus = z.enum(['locked', 'pending', 'completed', 'retry', 'failed', 'skipped'])
export type StepStatus = z.infer<typeof stepStatus>

export const flowState = z.object({
  status: sessionStatus,
  app: z.object({ name: z.string(), logo_url: z.string().nullable(), accent: z.string().nullable() }),
  locale: z.string(),
  locales: z.array(z.string()),
  expires_at: timestamp,
  steps: z.array(
    z.object({
      key: z.enum(flowSteps),
      status: stepStatus,
      required: z.boolean(),
      attempts_used: z.int().min(0),
      attempts_max: z.int().min(0).nullable(),
      /** What the page needs to draw the step; nothing that was uploaded or read. */
      options: z.record(z.string(), z.unknown()),
    }),
  ),
  current_step: z.enum(flowSteps).nullable(),
  can_submit: z.boolean(),
  handoff: z.object({ enabled: z.boolean() }),
})
export type FlowState = z.infer<typeof flowState>

export const captureIssue = z.object({ code: z.string(), message: z.string() })
export type CaptureIssue = z.infer<typeof captureIssue>

const common = { service: 'flow', caller: 'flow_token', tag: 'Hosted flow', params } as const

/** Liveness frames of one attempt. */
export const maxLivenessFrames = 12
/** All frames of one attempt together; one may be a full photo where there is no camera stream. */
const maxFramesBytes = 24 * 1024 * 1024

export const flowEndpoints = defineContract({
  openFlow: {
    ...common,
    method: 'get',
    path: '/flow/:token',
    summary: 'The hosted page',
    success: { status: 200, body: null, type: 'html' },
    errors: [],
  },
  getFlowState: {
    ...common,
    method: 'get',
    path: '/flow/:token/state',
    summary: 'Where the person stands',
    success: { status: 200, body: flowState },
    errors: [],
  },
  startFlow: {
    ...common,
    method: 'post',
    path: '/flow/:token/start',
    summary: 'Begin',
    body: z.strictObject({
      locale: locale.optional(),
      /** On a hand-off link, once: the code shown on the first device. */
      code: z
        .string()
        .regex(/^\d{6}$/, 'must be 6 digits')
        .optional(),
    }),
    success: { status: 200, body: flowState },
    errors: ['bad_request', 'conflict'],
  },
  giveConsent: {
    ...common,
    method: 'post',
    path: '/flow/:token/consent',
    summary: 'Accept or refuse; refusing ends the session',
    body: z.strictObject({ accepted: z.boolean(), version: z.string().max(64), locale: locale.optional() }),
    success: { status: 200, body: flowState },
    errors: ['bad_request', 'conflict'],
  },
  verifyEmail: {
    ...common,
    method: 'post',
    path: '/flow/:token/email',
    summary: 'Send a code to an address, or verify one',
    body: z.union(
      [
        z.strictObject({ email: z.email('must be a valid address').max(254) }),
        z.strictObject({ code: z.string().regex(/^\d{6}$/, 'must be 6 digits') }),
      ],
      { error: 'must hold either email or code' },
    ),
    success: {
      status: 200,
      body: z.object({
        sent: z.boolean(),
        resend_in: z.int().min(0),
        verified: z.boolean(),
        attempts_remaining: z.int().min(0),
      }),
    },
    errors: ['bad_request', 'conflict', 'unprocessable'],
  },
  uploadDocument: {
    ...common,
    method: 'post',
    path: '/flow/:token/document',
    summary: 'Upload one side of the document',
    multipart: {
      fields: z.strictObject({
        side: z.enum(['front', 'back']),
        document_type: documentType,
        country: z
          .string()
          .regex(/^[A-Z]{3}$/, 'must be an ISO alpha-3 code')
          .optional(),
        capture_method: z.enum(['camera', 'upload']).default('upload'),
      }),
      files: { image: { required: true, max_bytes: maxImageBytes, description: 'JPEG, PNG or WebP' } },
    },
    success: {
      status: 200,
      body: z.object({
        accepted: z.boolean(),
        side: z.enum(['front', 'back']),
        quality: imageQuality,
        issues: z.array(captureIssue),
        needs_back: z.boolean(),
        attempts_remaining: z.int().min(0),
      }),
    },
    errors: ['bad_request', 'conflict'],
    max_body_bytes: maxImageBytes + multipartOverheadBytes,
  },
  getLivenessChallenge: {
    ...common,
    method: 'get',
    path: '/flow/:token/liveness',
    summary: 'What the person is asked to do before the camera',
    success: {
      status: 200,
      body: z.object({ challenge_id: z.string(), actions: z.array(z.string()), expires_at: timestamp }),
    },
    errors: ['conflict'],
  },
  uploadLiveness: {
    ...common,
    method: 'post',
    path: '/flow/:token/liveness',
    summary: 'Upload the frames of one attempt',
    multipart: {
      fields: z.strictObject({ challenge_id: z.string().min(1).max(128) }),
      files: {
        frames: {
          required: true,
          max_bytes: maxImageBytes,
          max_count: maxLivenessFrames,
          description: 'JPEG, PNG or WebP, in the order in which they were taken',
        },
      },
    },
    success: {
      status: 200,
      body: z.object({
        accepted: z.boolean(),
        issues: z.array(captureIssue),
        attempts_remaining: z.int().min(0),
      }),
    },
    errors: ['bad_request', 'conflict'],
    max_body_bytes: maxFramesBytes + multipartOverheadBytes,
  },
  createHandoff: {
    ...common,
    method: 'post',
    path: '/flow/:token/handoff',
    summary: 'Continue on a phone: a link that works once',
    success: {
      status: 200,
      body: z.object({ url: z.string(), qr_svg: z.string(), code: z.string(), expires_at: timestamp }),
    },
    errors: ['conflict'],
  },
  recordFlowEvent: {
    ...common,
    method: 'post',
    path: '/flow/:token/events',
    summary: 'Tell what happened on the page',
    body: z.strictObject({ name: z.enum(['camera_denied', 'camera_unavailable', 'retake', 'handoff_used']) }),
    success: { status: 204, body: null },
    errors: ['bad_request'],
  },
  submitFlow: {
    ...common,
    method: 'post',
    path: '/flow/:token/submit',
    summary: 'Hand in; the checks begin',
    success: {
      status: 200,
      body: z.object({ status: sessionStatus, redirect_url: z.string().nullable() }),
    },
    errors: ['conflict'],
  },
})
