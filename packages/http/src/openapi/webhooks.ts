import { type WebhookEventName, webhookBody, webhookEventNames, webhookHeaders } from '@kyc/common'
import { eventExamples } from './event-examples.ts'
import { type Json, schemaOf } from './schemas.ts'

const kinds: Readonly<Record<WebhookEventName, { operationId: string; summary: string }>> = {
  'session.status_updated': {
    operationId: 'receiveStatusUpdate',
    summary: 'A session has another status; answer 2xx within 10 seconds',
  },
  ping: { operationId: 'receivePing', summary: 'Sent on demand, to see that your webhook URL answers' },
}

const headerMeanings: Readonly<Record<keyof typeof webhookHeaders, string>> = {
  event: 'The kind of event.',
  delivery: 'The delivery’s id: the same at every attempt, so keep it to handle an event once.',
  timestamp: 'Unix seconds of this attempt; refuse what is more than 300 seconds away.',
  signature: '`v1=` and the hex HMAC-SHA256, under the signing secret, of timestamp + "." + raw body.',
}

/** The `webhooks` section: one entry per kind of event, all sent to the app's one webhook URL. */
export const webhooksSection = (): Json =>
  Object.fromEntries(webhookEventNames.map((event) => [event, { post: operationOf(event) }]))

function operationOf(event: WebhookEventName): Json {
  const schema = webhookBody.options.find((option) => option.shape.event.value === event)
  if (!schema) throw new Error(`no body is declared for ${event}`)
  return {
    ...kinds[event],
    description:
      'Verify the signature over the raw body before anything is parsed. Deliveries repeat and may come out of order.',
    tags: ['Webhooks'],
    parameters: Object.entries(webhookHeaders).map(([name, header]) => ({
      name: header,
      in: 'header',
      required: true,
      description: headerMeanings[name as keyof typeof webhookHeaders],
      schema: name === 'event' ? { type: 'string', const: event } : { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(schema, 'output'), examples: eventExamples[event] } },
    },
    responses: { '2XX': { description: 'Received. Anything else is tried again, 8 times in all.' } },
  }
}
