import { conflict, notFound, toTimestamp, type WebhookDelivery } from '@kyc/common'
import { type Clock, type Database, newId } from '@kyc/runtime'
import { created } from '../domain/delivery.ts'
import { pingMessage } from '../domain/delivery-body.ts'
import type { DeliveryReads } from '../store/deliveries.ts'
import type { EndpointStore } from '../store/endpoints.ts'
import { insertDelivery } from '../store/insert-delivery.ts'

/** Creates a normal delivery, for a person who tests the receiver. */
export async function sendPing(
  parts: {
    database: Database
    endpoints: EndpointStore
    deliveries: DeliveryReads
    clock: Clock
    wake(): void
  },
  { app_id }: { app_id: string },
): Promise<WebhookDelivery> {
  const endpoint = await parts.endpoints.find(app_id)
  if (endpoint === null) throw notFound('webhook')
  if (endpoint.url === null) throw conflict('The app has no webhook URL.')
  const now = parts.clock.now()
  const delivery_id = newId('delivery')
  await insertDelivery(parts.database, {
    app_id,
    event: {
      event: 'ping',
      delivery_id,
      created_at: toTimestamp(now),
      data: { app_id, environment: endpoint.environment, message: pingMessage },
    },
    sealed_decision: null,
    correlation_id: null,
    stage: created(now),
    now,
  })
  const delivery = await parts.deliveries.find(app_id, delivery_id)
  if (delivery === null) throw notFound('webhook delivery')
  parts.wake()
  return delivery
}
