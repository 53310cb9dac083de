import { conflict, notFound, type WebhookDelivery } from '@kyc/common'
import type { Clock, Database } from '@kyc/runtime'
import type { DeliveryReads } from '../store/deliveries.ts'
import { hasDestination } from '../store/insert-delivery.ts'
import { redeliverFailedSince, redeliverOne } from '../store/redeliver.ts'

export type RedeliverParts = {
  database: Database
  deliveries: DeliveryReads
  clock: Clock
  /** Sends the app's due deliveries, regardless of its receiver's health. */
  tryNow(appId: string): void
}

/** Starts a new attempt of the same delivery immediately. Used by the console and by client backends. */
export async function redeliverDelivery(
  parts: RedeliverParts,
  request: { app_id: string; delivery_id: string },
): Promise<WebhookDelivery> {
  const { app_id, delivery_id } = request
  const before = await parts.deliveries.find(app_id, delivery_id)
  if (before === null) throw notFound('webhook delivery')
  await requireDestination(parts.database, app_id)
  const outcome = await redeliverOne(parts.database, app_id, delivery_id, parts.clock.now())
  if (outcome === 'under_way') throw conflict('The delivery is still being attempted.')
  const delivery = outcome === 'due' ? await parts.deliveries.find(app_id, delivery_id) : null
  if (delivery === null) throw notFound('webhook delivery')
  parts.tryNow(app_id)
  return delivery
}

export async function redeliverAllFailed(parts: RedeliverParts, request: { app_id: string; since: string }) {
  await requireDestination(parts.database, request.app_id)
  const count = await redeliverFailedSince(parts.database, request.app_id, request.since, parts.clock.now())
  parts.tryNow(request.app_id)
  return { count }
}

async function requireDestination(database: Database, appId: string): Promise<void> {
  if (!(await hasDestination(database, appId))) throw conflict('The app has no webhook URL.')
}
