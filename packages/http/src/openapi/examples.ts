import type { ErrorCode, OperationId } from '@kyc/common'

/** One request and one response of an operation as sent on the wire. All persons are fictitious. */
export type OperationExample = { request?: unknown; response?: unknown }

const sessionId = 'ses_5yVq1mA7c0ZJwQpH3kXn2RtB'
const workflowId = 'wf_8kD2hT6vLr0bYcE4sNqW9uXa'
const deliveryId = 'whd_3nF7pR1xGt9sKjC5wBmV2yQz'
const token = '2q8mJr5XbT0vYc3LwN7kZpHs9dGfA1eU'

const times = {
  created_at: '2026-01-31T09:30:00Z',
  submitted_at: '2026-01-31T09:34:10Z',
  completed_at: '2026-01-31T09:34:14Z',
  expires_at: '2026-02-07T09:30:00Z',
}

const session = {
  session_id: sessionId,
  status: 'in_review',
  decision_reason: 'aml_potential_match',
  workflow_id: workflowId,
  vendor_data: 'customer-17',
  created_via: 'api',
  ...times,
  updated_at: '2026-01-31T09:34:14Z',
  started_at: '2026-01-31T09:31:02Z',
  purged_at: null,
}

const createdSession = {
  session_id: sessionId,
  status: 'not_started',
  url: `https://kyc.example.com/flow/${token}`,
  session_token: token,
  workflow_id: workflowId,
  vendor_data: 'customer-17',
  expires_at: times.expires_at,
}

const check = {
  kind: 'document',
  status: 'passed',
  score: 0.97,
  data: { document_type: 'passport', issuing_state: 'UTO', mrz_valid: true },
  warnings: [],
  attempts: 1,
  started_at: '2026-01-31T09:32:40Z',
  completed_at: '2026-01-31T09:32:41Z',
  engine: { name: 'document-reader', version: '1' },
}

export const exampleDecision = {
  session_id: sessionId,
  status: 'approved',
  decision_reason: null,
  workflow_id: workflowId,
  vendor_data: 'customer-17',
  metadata: { plan: 'gold' },
  identity: {
    full_name: 'ANNA MARIA ERIKSSON',
    date_of_birth: '1974-08-12',
    nationality: 'UTO',
    document_type: 'passport',
    document_number_masked: 'L8989****',
    expiry_date: '2032-04-15',
    sources: { full_name: 'mrz', date_of_birth: 'mrz' },
  },
  checks: [check],
  review: null,
  ...times,
}

export const exampleEvent = {
  event: 'session.status_updated',
  delivery_id: deliveryId,
  created_at: times.completed_at,
  data: {
    session_id: sessionId,
    status: 'approved',
    previous_status: 'processing',
    vendor_data: 'customer-17',
    workflow_id: workflowId,
    decision: exampleDecision,
  },
}

const delivery = {
  delivery_id: deliveryId,
  event: 'session.status_updated',
  session_id: sessionId,
  status: 'delivered',
  attempts: [
    {
      number: 1,
      at: times.completed_at,
      status_code: 200,
      error: null,
      response_excerpt: 'ok',
      duration_ms: 41,
    },
  ],
  next_attempt_at: null,
}

const amlAnswer = {
  matches: [],
  screened_at: times.completed_at,
  lists: [
    {
      list: 'un_sc',
      version: '2026-01-28',
      fetched_at: '2026-01-30T06:00:00Z',
      entity_count: 1003,
      status: 'ok',
    },
  ],
  warnings: [],
}

const mrzLines = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
]

const page = <T>(item: T) => ({ data: [item], page: 1, page_size: 25, total: 1 })

/** Operations without an entry have too few fields to need one, or their response is not JSON. */
export const operationExamples: Readonly<Partial<Record<OperationId, OperationExample>>> = {
  getHealth: { response: { ok: true } },
  createSession: {
    request: { vendor_data: 'customer-17', callback_url: 'https://example.org/done' },
    response: createdSession,
  },
  listSessions: { response: page(session) },
  getSession: { response: session },
  getDecision: { response: exampleDecision },
  decideSession: {
    request: { status: 'approved', note: 'Not the listed person: another date of birth.' },
    response: {
      ...session,
      status: 'approved',
      decision_reason: null,
      review: {
        reviewed_by: null,
        reviewed_at: '2026-01-31T10:02:00Z',
        note: 'Not the listed person: another date of birth.',
      },
    },
  },
  screenName: {
    request: { full_name: 'Anna Maria Eriksson', date_of_birth: '1974-08-12', nationality: 'UTO' },
    response: amlAnswer,
  },
  screenNames: {
    request: { names: [{ id: 'customer-17', full_name: 'Anna Maria Eriksson' }] },
    response: { ...amlAnswer, id: 'customer-17' },
  },
  validatePan: {
    request: { pan: 'ABCPE1234F', name: 'Anna Eriksson' },
    response: {
      normalized: 'ABCPE1234F',
      valid_format: true,
      holder_type: 'individual',
      name_initial_match: true,
      issues: [],
      government_lookup: false,
      note: 'Structural validation only; no government source was asked.',
    },
  },
  parseMrz: {
    request: { lines: mrzLines },
    response: {
      format: 'td3',
      document_code: 'P',
      issuing_state: 'UTO',
      surname: 'ERIKSSON',
      given_names: 'ANNA MARIA',
      document_number: 'L898902C3',
      nationality: 'UTO',
      birth_date_raw: '740812',
      expiry_date_raw: '120415',
      birth_date: '1974-08-12',
      expiry_date: '2012-04-15',
      sex: 'F',
      optional_data: 'ZE184226B',
      optional_data_2: null,
      check_digits: {
        document_number: true,
        birth_date: true,
        expiry_date: true,
        optional_data: true,
        composite: true,
      },
      valid: true,
      lines: mrzLines,
      corrections: [],
    },
  },
  matchFaces: {
    response: { similarity: 0.71, match: true, threshold: 0.363, faces: { a: 1, b: 1 } },
  },
  listWebhookDeliveries: { response: page(delivery) },
  getWebhookDelivery: { response: delivery },
  getWebhookEvent: { response: exampleEvent },
  redeliverWebhook: {
    response: { ...delivery, status: 'pending', next_attempt_at: '2026-01-31T11:00:00Z' },
  },
  advanceTestSession: {
    request: { to: 'in_review' },
    response: { ...session, status: 'processing', decision_reason: null, completed_at: null },
  },
  startFlow: { request: { locale: 'en' } },
  giveConsent: { request: { accepted: true, version: '1', locale: 'en' } },
  verifyEmail: { request: { email: 'anna@example.org' } },
  recordFlowEvent: { request: { name: 'retake' } },
  submitFlow: { response: { status: 'processing', redirect_url: null } },
}

/** The meaning of each code for a client; the message names the field or the reason. */
export const errorExamples: Readonly<Record<ErrorCode, { meaning: string; message: string }>> = {
  bad_request: {
    meaning: 'A field fails validation; the message names it.',
    message: 'vendor_data: must be at most 256 characters long',
  },
  unauthorized: {
    meaning: 'The key is missing, unknown or revoked.',
    message: 'A valid x-api-key header is required.',
  },
  forbidden: { meaning: 'The role or key may not do this.', message: 'Your role may not do this.' },
  not_found: {
    meaning: 'Not in this app; ids of other apps are never revealed.',
    message: 'No such session.',
  },
  conflict: {
    meaning: 'The state does not allow it, or it changed at the same moment.',
    message: 'The session is processing.',
  },
  unprocessable: {
    meaning: 'Understood, but refused.',
    message: 'No machine readable zone was found.',
  },
  rate_limited: {
    meaning: 'Too many requests; `retry-after` says in how many seconds to come back.',
    message: 'Too many requests; the window is one minute.',
  },
  internal: {
    meaning: 'A failure on the server; safe to retry.',
    message: 'Something went wrong on our side; it is safe to retry.',
  },
}
