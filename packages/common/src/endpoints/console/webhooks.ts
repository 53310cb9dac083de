import { z } from 'zod'
import { pathId } from '../../domain/ids.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { deliveryStatus, webhookDelivery } from '../../domain/webhook.ts'
import { webhookEndpoint } from '../../messages/admin-requests.ts'
import { defineContract } from '../define.ts'
import { pageOf, pageQuery } from '../parts.ts'
import { allowed, allowedAnew, appParams, appPath, consoleEndpoint } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Webhooks' } as const
const deliveryParams = appParams.extend({ delivery_id: pathId })

export const consoleWebhookEndpoints = defineContract({
  getWebhook: {
    ...common,
    method: 'get',
    path: `${appPath}/webhook`,
    access: allowed('webhook.read'),
    summary: 'Where events go; of the secret only its end',
    params: appParams,
    success: { status: 200, body: webhookEndpoint },
    errors: ['not_found'],
  },
  setWebhook: {
    ...common,
    method: 'put',
    path: `${appPath}/webhook`,
    access: allowed('webhook.write'),
    summary: 'Change the URL; null stops deliveries',
    params: appParams,
    body: z.strictObject({ url: z.string().min(1).max(2048).nullable() }),
    success: { status: 200, body: webhookEndpoint },
    errors: ['bad_request', 'not_found'],
  },
  rotateSecret: {
    ...common,
    method: 'post',
    path: `${appPath}/webhook/rotate-secret`,
    access: allowedAnew('webhook.rotate_secret'),
    summary: 'A new secret, in this answer only; the next attempt of every delivery is signed with it',
    params: appParams,
    success: { status: 200, body: z.object({ secret: z.string(), endpoint: webhookEndpoint }) },
    errors: ['not_found'],
  },
  pingReceiver: {
    ...common,
    method: 'post',
    path: `${appPath}/webhook/ping`,
    access: allowed('webhook.write'),
    summary: 'Send a ping, a delivery like any other',
    params: appParams,
    success: { status: 201, body: webhookDelivery },
    errors: ['not_found', 'conflict'],
  },
  listConsoleDeliveries: {
    ...common,
    method: 'get',
    path: `${appPath}/deliveries`,
    access: allowed('delivery.read'),
    summary: 'Deliveries, newest first, with status codes, errors, excerpts and the next attempt',
    params: appParams,
    query: z.strictObject({
      status: deliveryStatus.optional(),
      session_id: z.string().max(128).optional(),
      ...pageQuery,
    }),
    success: { status: 200, body: pageOf(webhookDelivery) },
    errors: ['bad_request', 'not_found'],
  },
  getConsoleDelivery: {
    ...common,
    method: 'get',
    path: `${appPath}/deliveries/:delivery_id`,
    access: allowed('delivery.read'),
    summary: 'A delivery with all its attempts',
    params: deliveryParams,
    success: { status: 200, body: webhookDelivery },
    errors: ['not_found'],
  },
  redeliverOne: {
    ...common,
    method: 'post',
    path: `${appPath}/deliveries/:delivery_id/redeliver`,
    access: allowed('delivery.redeliver'),
    summary: 'Send a delivery again',
    params: deliveryParams,
    success: { status: 200, body: webhookDelivery },
    errors: ['not_found', 'conflict'],
  },
  redeliverAllFailed: {
    ...common,
    method: 'post',
    path: `${appPath}/deliveries/redeliver-failed`,
    access: allowed('delivery.redeliver'),
    summary: 'Send every failed delivery since then again',
    params: appParams,
    body: z.strictObject({ since: timestamp }),
    success: { status: 200, body: z.object({ count: z.int().min(0) }) },
    errors: ['bad_request', 'not_found', 'conflict'],
  },
})
