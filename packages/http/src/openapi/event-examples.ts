import type { WebhookBody, WebhookEventName } from '@kyc/common'
import { exampleEvent } from './examples.ts'

type Examples = Record<string, { summary: string; value: WebhookBody }>

const { data, ...delivered } = exampleEvent
const statusUpdate = (change: object) => ({ ...delivered, data: { ...data, ...change } }) as WebhookBody

/** Each kind of event as it is delivered. All persons are fictitious. */
export const eventExamples: Readonly<Record<WebhookEventName, Examples>> = {
  'session.status_updated': {
    approved: { summary: 'Approved, with its decision', value: statusUpdate({}) },
    in_review: {
      summary: 'Waits for a reviewer; not final',
      value: statusUpdate({
        status: 'in_review',
        decision: { ...data.decision, status: 'in_review', decision_reason: 'aml_potential_match' },
      }),
    },
    started: {
      summary: 'The person has opened the link',
      value: statusUpdate({ status: 'in_progress', previous_status: 'not_started', decision: null }),
    },
    expired: {
      summary: 'Nobody opened the link in time',
      value: statusUpdate({ status: 'expired', previous_status: 'not_started', decision: null }),
    },
  },
  ping: {
    ping: {
      summary: 'From the console, to try your webhook URL',
      value: {
        event: 'ping',
        delivery_id: delivered.delivery_id,
        created_at: delivered.created_at,
        data: {
          app_id: 'app_2hL6wZ8cQ1vNkS4tYx0mB7pD',
          environment: 'test',
          message: 'The webhook URL works.',
        },
      },
    },
  },
}
