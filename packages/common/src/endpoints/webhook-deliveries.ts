import { z } from 'zod'
import { pathId } from '../domain/ids.ts'
import { deliveryStatus, webhookBody, webhookDelivery } from '../domain/webhook.ts'
import { defineContract } from './define.ts'
import { pageOf, pageQuery } from './parts.ts'

const params = z.object({ delivery_id: pathId })
const common = { service: 'webhook-dispatcher', caller: 'api_key', tag: 'Webhook deliveries' } as const

export const webhookDeliveryEndpoints = defineContract({
  listWebhookDeliveries: {
    ...common,
    method: 'get',
    path: '/v1/webhook-deliveries',
    summary: 'List webhook deliveries, newest first',
    query: z.strictObject({
      status: deliveryStatus.optional(),
      session_id: z.string().max(128).optional(),
      ...pageQuery,
    }),
    success: { status: 200, body: pageOf(webhookDelivery) },
    errors: ['bad_request'],
    revalidates: true,
  },
  getWebhookDelivery: {
    ...common,
    method: 'get',
    path: '/v1/webhook-deliveries/:delivery_id',
    summary: 'Get one delivery with all its attempts',
    params,
    success: { status: 200, body: webhookDelivery },
    errors: ['not_found'],
  },
  getWebhookEvent: {
    ...common,
    method: 'get',
    path: '/v1/webhook-deliveries/:delivery_id/event',
    summary: 'The event of a delivery, as its body carries it; after a purge without its decision',
    params,
    success: { status: 200, body: webhookBody },
    errors: ['not_found'],
  },
  redeliverWebhook: {
    ...common,
    method: 'post',
    path: '/v1/webhook-deliveries/:delivery_id/redeliver',
    summary: 'Send a delivery again, as a new attempt of the same delivery',
    params,
    success: { status: 200, body: webhookDelivery },
    errors: ['not_found', 'conflict'],
    idempotent: 'stored',
  },
})
