import {
  consoleAppEndpoints,
  consoleWebhookEndpoints,
  getDelivery,
  getWebhookEndpoint,
  listApiKeys,
  listDeliveries,
} from '@kyc/common'
import { type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import { actorOf, type Operations } from '../operations/context.ts'
import { createApp } from '../operations/create-app.ts'
import { changeApp, getApp, listVisibleApps } from '../operations/manage-apps.ts'
import { changeKey, createKey, revokeKey } from '../operations/manage-keys.ts'
import {
  pingReceiver,
  redeliverAllFailed,
  redeliverOne,
  rotateSecret,
  setWebhook,
} from '../operations/manage-webhook.ts'

/** Apps with their keys, webhook and deliveries. */
export function mountApps(router: Router, operations: Operations, options: MountOptions): void {
  const { bus } = operations
  mount(
    router,
    consoleAppEndpoints,
    {
      listApps: (_input, { caller }) => listVisibleApps(operations, caller.app_ids),
      createApp: ({ body }, { caller }) => createApp(operations, actorOf(caller), body),
      getApp: ({ params }) => getApp(operations, params.app_id),
      updateApp: ({ params, body }, { caller }) =>
        changeApp(operations, actorOf(caller), params.app_id, body),
      setRetention: ({ params, body }, { caller }) =>
        changeApp(operations, actorOf(caller), params.app_id, body),
      listKeys: ({ params }) => bus.request(listApiKeys, params),
      createKey: ({ params, body }, { caller }) =>
        createKey(operations, actorOf(caller), { ...params, ...body }),
      updateKey: ({ params, body }, { caller }) =>
        changeKey(operations, actorOf(caller), { app_id: params.app_id, id: params.key_id, ...body }),
      revokeKey: ({ params }, { caller }) =>
        revokeKey(operations, actorOf(caller), { app_id: params.app_id, id: params.key_id }),
    },
    options,
  )
  mount(
    router,
    consoleWebhookEndpoints,
    {
      getWebhook: ({ params }) => bus.request(getWebhookEndpoint, params),
      setWebhook: ({ params, body }, { caller }) =>
        setWebhook(operations, actorOf(caller), { ...params, ...body }),
      rotateSecret: ({ params }, { caller }) => rotateSecret(operations, actorOf(caller), params.app_id),
      pingReceiver: ({ params }, { caller }) => pingReceiver(operations, actorOf(caller), params.app_id),
      listConsoleDeliveries: ({ params, query }) => bus.request(listDeliveries, { ...params, ...query }),
      getConsoleDelivery: ({ params }) => bus.request(getDelivery, params),
      redeliverOne: ({ params }, { caller }) => redeliverOne(operations, actorOf(caller), params),
      redeliverAllFailed: ({ params, body }, { caller }) =>
        redeliverAllFailed(operations, actorOf(caller), { ...params, ...body }),
    },
    options,
  )
}
