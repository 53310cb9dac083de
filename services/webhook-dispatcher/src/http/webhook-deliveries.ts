import { notFound, type webhookDeliveryEndpoints } from '@kyc/common'
import type { Handlers } from '@kyc/http'
import { type RedeliverParts, redeliverDelivery } from '../messages/redeliver.ts'

/** For client backends, which recover from their own outages; the app is the caller's own. */
export const webhookDeliveryHandlers = (
  parts: RedeliverParts,
): Handlers<typeof webhookDeliveryEndpoints> => ({
  listWebhookDeliveries: ({ query }, { caller }) => parts.deliveries.list(caller.app_id, query),

  getWebhookDelivery: async ({ params }, { caller }) => {
    const delivery = await parts.deliveries.find(caller.app_id, params.delivery_id)
    if (delivery === null) throw notFound('webhook delivery')
    return delivery
  },

  redeliverWebhook: ({ params }, { caller }) =>
    redeliverDelivery(parts, { app_id: caller.app_id, ...params }),
})
