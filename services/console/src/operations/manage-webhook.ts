import {
  deliveryId,
  notFound,
  pingWebhook,
  redeliver,
  redeliverFailed,
  rotateWebhookSecret,
  setWebhookUrl,
} from '@kyc/common'
import { type Actor, type Operations, record } from './context.ts'

/** Validated like a delivery; `bad_request` names the problem. */
export async function setWebhook(
  operations: Operations,
  actor: Actor,
  given: { app_id: string; url: string | null },
) {
  const endpoint = await operations.bus.request(setWebhookUrl, given)
  await record(operations, actor, {
    app_id: given.app_id,
    action: 'webhook.url_changed',
    target: given.app_id,
    details: { on: given.url !== null },
  })
  return endpoint
}

/** The new secret is in this response and nowhere else. The old one signs nothing from now on. */
export async function rotateSecret(operations: Operations, actor: Actor, appId: string) {
  const rotated = await operations.bus.request(rotateWebhookSecret, { app_id: appId })
  await record(operations, actor, {
    app_id: appId,
    action: 'webhook.secret_rotated',
    target: appId,
  })
  return rotated
}

export async function pingReceiver(operations: Operations, actor: Actor, appId: string) {
  const delivery = await operations.bus.request(pingWebhook, { app_id: appId })
  await record(operations, actor, {
    app_id: appId,
    action: 'webhook.pinged',
    target: delivery.delivery_id,
  })
  return delivery
}

export async function redeliverOne(
  operations: Operations,
  actor: Actor,
  given: { app_id: string; delivery_id: string },
) {
  if (!deliveryId.safeParse(given.delivery_id).success) throw notFound('webhook delivery')
  const delivery = await operations.bus.request(redeliver, given)
  await record(operations, actor, {
    app_id: given.app_id,
    action: 'delivery.redelivered',
    target: given.delivery_id,
  })
  return delivery
}

export async function redeliverAllFailed(
  operations: Operations,
  actor: Actor,
  given: { app_id: string; since: string },
) {
  const { count } = await operations.bus.request(redeliverFailed, given)
  await record(operations, actor, {
    app_id: given.app_id,
    action: 'delivery.failed_redelivered',
    target: given.app_id,
    details: { since: given.since, count },
  })
  return { count }
}
