import { notFound, type webhookDeliveryEndpoints } from '@kyc/common'
import type { Handlers } from '@kyc/http'
import type { Vault } from '@kyc/vault'
import { bodyOf } from '../domain/delivery-body.ts'
import { openDecision } from '../jobs/attempt-delivery.ts'
import { type RedeliverParts, redeliverDelivery } from '../messages/redeliver.ts'

/** Lets client backends recover from their own outages. Scoped to the caller's app. */
export const webhookDeliveryHandlers = (
  parts: RedeliverParts & { vault: Pick<Vault, 'open'> },
): Handlers<typeof webhookDeliveryEndpoints> => ({
  listWebhookDeliveries: ({ query }, { caller }) => parts.deliveries.list(caller.app_id, query),

  getWebhookDelivery: async ({ params }, { caller }) => {
    const delivery = await parts.deliveries.find(caller.app_id, params.delivery_id)
    if (delivery === null) throw notFound('webhook delivery')
    return delivery
  },

  getWebhookEvent: async ({ params }, { caller: { app_id } }) => {
    const found = await parts.deliveries.findEvent(app_id, params.delivery_id)
    if (found === null) throw notFound('webhook delivery')
    return bodyOf(found.event, await openDecision(parts.vault, { app_id, ...found }))
  },

  redeliverWebhook: ({ params }, { caller }) =>
    redeliverDelivery(parts, { app_id: caller.app_id, ...params }),
})
