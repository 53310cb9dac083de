import { z } from 'zod'
import { publicSigningKey, signedPurgeCertificate, signedReceipt } from '../domain/attestation.ts'
import { httpUrl } from '../domain/http-url.ts'
import { pathId, sessionId, workflowId } from '../domain/ids.ts'
import { decision, review, sessionSummary, vendorData } from '../domain/session.ts'
import { sessionStatus } from '../domain/session-state.ts'
import { timestamp } from '../domain/timestamp.ts'
import { workflow } from '../domain/workflow.ts'
import { defineContract } from './define.ts'
import { metadata, pageOf, pageQuery } from './parts.ts'

const params = z.object({ session_id: pathId })

export const createSessionBody = z.strictObject({
  workflow_id: z.string().max(128).optional(),
  vendor_data: vendorData.optional(),
  callback_url: httpUrl.optional(),
  metadata: metadata.optional(),
  contact: z.strictObject({ email: z.email('must be a valid address').max(254).optional() }).optional(),
  expires_in_hours: z.int().min(1).max(720).default(168),
})

export const createdSession = z.object({
  session_id: sessionId,
  status: sessionStatus,
  url: z.string(),
  session_token: z.string(),
  workflow_id: workflowId,
  vendor_data: z.string().nullable(),
  expires_at: timestamp,
})
export type CreatedSession = z.infer<typeof createdSession>

export const sessionEndpoints = defineContract({
  createSession: {
    method: 'post',
    path: '/v1/sessions',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: 'Create a session and its hosted link',
    body: createSessionBody,
    success: { status: 201, body: createdSession },
    errors: ['bad_request', 'not_found', 'conflict', 'unprocessable'],
    idempotent: 'stored',
  },
  listSessions: {
    method: 'get',
    path: '/v1/sessions',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: 'List sessions, newest first',
    query: z.strictObject({
      status: sessionStatus.optional(),
      vendor_data: vendorData.optional(),
      ...pageQuery,
    }),
    success: { status: 200, body: pageOf(sessionSummary) },
    errors: ['bad_request'],
    revalidates: true,
  },
  getSession: {
    method: 'get',
    path: '/v1/sessions/:session_id',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: 'Get a session',
    params,
    success: { status: 200, body: sessionSummary },
    errors: ['not_found'],
  },
  getDecision: {
    method: 'get',
    path: '/v1/sessions/:session_id/decision',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: 'Get the decision, its checks and the identity',
    params,
    success: { status: 200, body: decision },
    errors: ['not_found'],
    revalidates: true,
  },
  decideSession: {
    method: 'patch',
    path: '/v1/sessions/:session_id/status',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: 'Approve or decline a session in review',
    params,
    body: z.strictObject({ status: z.enum(['approved', 'declined']), note: z.string().max(2000).optional() }),
    success: { status: 200, body: sessionSummary.extend({ review }) },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
  purgeSession: {
    method: 'delete',
    path: '/v1/sessions/:session_id',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: 'Purge the personal data of a session',
    params,
    success: { status: 204, body: null },
    errors: ['not_found', 'conflict'],
  },
  getPurgeCertificate: {
    method: 'get',
    path: '/v1/sessions/:session_id/purge-certificate',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: 'The signed proof of a purge, when every service has confirmed it',
    params,
    success: { status: 200, body: signedPurgeCertificate },
    errors: ['not_found', 'conflict'],
  },
  getReceipt: {
    method: 'get',
    path: '/v1/sessions/:session_id/receipt',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: 'The signed receipt of the latest decision: what it rests on, in hashes',
    params,
    success: { status: 200, body: signedReceipt },
    errors: ['not_found', 'conflict'],
  },
  listSigningKeys: {
    method: 'get',
    path: '/v1/signing-keys',
    service: 'session',
    caller: 'api_key',
    tag: 'Sessions',
    summary: "The public keys of the app's receipts and purge certificates",
    success: { status: 200, body: z.object({ keys: z.array(publicSigningKey) }) },
    errors: [],
  },
  listWorkflows: {
    method: 'get',
    path: '/v1/workflows',
    service: 'session',
    caller: 'api_key',
    tag: 'Workflows',
    summary: "List the app's live workflows, default first",
    query: z.strictObject(pageQuery),
    success: { status: 200, body: pageOf(workflow) },
    errors: ['bad_request'],
    revalidates: true,
  },
})
