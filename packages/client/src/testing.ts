import type { Decision, WebhookEvent } from './generated/types.ts'
import { sign } from './webhooks.ts'

/** For tests of a webhook handler: events as the service sends them, signed with your secret. */

type StatusUpdated = Extract<WebhookEvent, { event: 'session.status_updated' }>
type Status = StatusUpdated['data']['status']

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const opaque = () =>
  Array.from({ length: 24 }, () => letters[Math.floor(Math.random() * letters.length)]).join('')
const now = () => `${new Date().toISOString().slice(0, 19)}Z`

const before: Readonly<Record<Status, Status>> = {
  not_started: 'not_started',
  in_progress: 'not_started',
  processing: 'in_progress',
  approved: 'processing',
  declined: 'processing',
  in_review: 'processing',
  expired: 'not_started',
  abandoned: 'in_progress',
}

/** A `session.status_updated` event. `data` overrides fields; a final status carries a decision. */
export function statusEvent(status: Status, data: Partial<StatusUpdated['data']> = {}): StatusUpdated {
  const base = {
    session_id: `ses_${opaque()}`,
    status,
    previous_status: before[status],
    vendor_data: null,
    workflow_id: `wf_${opaque()}`,
    ...data,
  }
  const carries = status === 'approved' || status === 'declined' || status === 'in_review'
  return {
    event: 'session.status_updated',
    delivery_id: `whd_${opaque()}`,
    created_at: now(),
    data: {
      ...base,
      decision: data.decision === undefined && carries ? emptyDecision(base) : (data.decision ?? null),
    },
  }
}

const emptyDecision = (
  base: Pick<Decision, 'session_id' | 'status' | 'workflow_id' | 'vendor_data'>,
): Decision => ({
  session_id: base.session_id,
  status: base.status,
  decision_reason: null,
  workflow_id: base.workflow_id,
  vendor_data: base.vendor_data,
  metadata: {},
  identity: {
    full_name: null,
    date_of_birth: null,
    nationality: null,
    document_type: null,
    document_number_masked: null,
    expiry_date: null,
    sources: {},
  },
  checks: [],
  review: null,
  created_at: now(),
  submitted_at: now(),
  completed_at: now(),
  expires_at: now(),
})

/** The request of a delivery: the raw body and its headers. */
export async function signEvent(
  event: WebhookEvent,
  secret: string,
  options: { timestampSeconds?: number } = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  const body = JSON.stringify(event)
  const timestamp = String(options.timestampSeconds ?? Math.floor(Date.now() / 1000))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'kyc-webhooks/test',
      'x-kyc-event': event.event,
      'x-kyc-delivery': event.delivery_id,
      'x-kyc-timestamp': timestamp,
      'x-kyc-signature': await sign(body, timestamp, secret),
    },
  }
}
