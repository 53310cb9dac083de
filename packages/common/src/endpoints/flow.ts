import { z } from 'zod'
import { type DocumentType, documentType } from '../domain/identity.ts'
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
      /** What the page needs to render the step; nothing that was uploaded or extracted. */
      options: z.record(z.string(), z.unknown()),
    }),
  ),
  current_step: z.enum(flowSteps).nullable(),
  can_submit: z.boolean(),
  /** Whether the person may continue on a phone, and the progress of the newest hand-off. */
  handoff: z.object({ enabled: z.boolean(), device: z.enum(['none', 'waiting', 'connected']) }),
  /** Where the person returns to, with the status as a hint; null while the session is open or when it has no URL. */
  return_url: z.string().nullable(),
})
export type FlowState = z.infer<typeof flowState>

/** The content of `options`, by step. */
export type FlowStepOptions = {
  consent: { version: string; text: string; privacy_url: string | null }
  email: {
    required: boolean
    prefill: string | null
    /** Masked; null until a code was sent. */
    sent_to: string | null
    resend_in: number
    attempts_remaining: number
  }
  document: {
    allowed_types: DocumentType[]
    allowed_countries: string[] | null
    require_back: 'auto' | boolean
    allow_upload: boolean
    /** The sides accepted so far, with the document type that was detected. */
    sides: ('front' | 'back')[]
    needs_back: boolean
    document_type: DocumentType | null
  }
  liveness: { mode: 'passive' | 'active' }
}

export const captureIssue = z.object({ code: z.string(), message: z.string() })
export type CaptureIssue = z.infer<typeof captureIssue>

/** Identifies one upload, so that repeating it after a lost response does not count as another attempt. */
const uploadId = z.string().regex(/^[A-Za-z0-9-]{8,64}$/, 'must be 8 to 64 letters, digits or hyphens')

/**
 * The page of the hosted flow that the gateway serves to a person whose navigation is rate-limited; it contains no
 * session data.
 */
export const rateLimitedPagePath = '/flow-assets/rate-limited'

const common = { service: 'flow', caller: 'flow_token', tag: 'Hosted flow', params } as const

/** Liveness frames of one attempt. */
export const maxLivenessFrames = 12
/** All frames of one attempt together; one may be a full photo when there is no camera stream. */
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
  followFlow: {
    ...common,
    method: 'get',
    path: '/flow/:token/changes',
    summary: 'Wait until something changes, on this device or another; answers after 20 s at the latest',
    query: z.strictObject({ revision: z.string().max(200).optional() }),
    success: { status: 200, body: z.object({ revision: z.string(), state: flowState }) },
    errors: ['bad_request'],
    long_poll: true,
  },
  startFlow: {
    ...common,
    method: 'post',
    path: '/flow/:token/start',
    summary: 'Begin',
    body: z.strictObject({
      locale: locale.optional(),
      /** For a hand-off link, once: the code shown on the first device. */
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
        upload_id: uploadId.optional(),
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
      fields: z.strictObject({
        challenge_id: z.string().min(1).max(128),
        upload_id: uploadId.optional(),
        /** The person cannot perform the movements: the frames are assessed without them, and a reviewer decides. */
        accommodation: z.literal('no_movement').optional(),
      }),
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
