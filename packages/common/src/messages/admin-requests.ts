import { z } from 'zod'
import { apiKeyId, appId, deliveryId, environment } from '../domain/ids.ts'
import { keyScope } from '../domain/key-scopes.ts'
import { timestamp } from '../domain/timestamp.ts'
import { deliveryStatus, webhookDelivery } from '../domain/webhook.ts'
import { pageOf } from '../endpoints/parts.ts'
import { defineRequest } from './define.ts'

export const apiKey = z.object({
  id: apiKeyId,
  name: z.string(),
  /** The first characters, enough to recognise the key. */
  prefix: z.string(),
  environment,
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  rate_limit_per_minute: z.int().nullable(),
  /** Null: full access to the app. */
  scopes: z.array(keyScope).nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** The full key is returned in this response only. */
export const createApiKey = defineRequest(
  'api_key.create',
  1,
  z.object({
    app_id: appId,
    environment,
    name: z.string().min(1).max(120),
    expires_at: timestamp.nullable(),
    rate_limit_per_minute: z.int().min(1).nullable(),
    scopes: z.array(keyScope).min(1).nullable().default(null),
  }),
  z.object({ key: z.string(), api_key: apiKey }),
)
/** Takes effect on every gateway replica within a second. An absent field is left unchanged. */
export const updateApiKey = defineRequest(
  'api_key.update',
  1,
  z.object({
    app_id: appId,
    id: apiKeyId,
    name: z.string().min(1).max(120).optional(),
    rate_limit_per_minute: z.int().min(1).nullable().optional(),
  }),
  apiKey,
)
export const listApiKeys = defineRequest(
  'api_key.list',
  1,
  z.object({ app_id: appId }),
  z.object({ data: z.array(apiKey) }),
)
/** Every gateway replica rejects the key within a second. */
export const revokeApiKey = defineRequest(
  'api_key.revoke',
  1,
  z.object({ app_id: appId, id: apiKeyId }),
  apiKey,
)

export const webhookEndpoint = z.object({
  app_id: appId,
  url: z.string().nullable(),
  secret_masked: z.string(),
  updated_at: timestamp,
})

/**
 * Creates the app's webhook settings with a new secret, returned in this response only. `conflict` when the app already
 * has settings.
 */
export const provisionWebhook = defineRequest(
  'webhook.provision',
  1,
  z.object({ app_id: appId, environment, url: z.string().max(2048).nullable() }),
  z.object({ secret: z.string(), endpoint: webhookEndpoint }),
  { deadline_ms: 15_000 },
)
export const getWebhookEndpoint = defineRequest(
  'webhook.get',
  1,
  z.object({ app_id: appId }),
  webhookEndpoint,
)
/** Validates the destination as a delivery would; null stops deliveries. */
export const setWebhookUrl = defineRequest(
  'webhook.set_url',
  1,
  z.object({ app_id: appId, url: z.string().max(2048).nullable() }),
  webhookEndpoint,
  { deadline_ms: 15_000 },
)
/** Applies to all pending retries immediately. */
export const rotateWebhookSecret = defineRequest(
  'webhook.rotate_secret',
  1,
  z.object({ app_id: appId }),
  z.object({ secret: z.string(), endpoint: webhookEndpoint }),
)
export const pingWebhook = defineRequest('webhook.ping', 1, z.object({ app_id: appId }), webhookDelivery)
export const listDeliveries = defineRequest(
  'webhook.deliveries',
  1,
  z.object({
    app_id: appId,
    status: deliveryStatus.optional(),
    session_id: z.string().optional(),
    page: z.int().min(1),
    page_size: z.int().min(1).max(100),
  }),
  pageOf(webhookDelivery),
)
export const getDelivery = defineRequest(
  'webhook.delivery',
  1,
  z.object({ app_id: appId, delivery_id: z.string() }),
  webhookDelivery,
)
export const redeliver = defineRequest(
  'webhook.redeliver',
  1,
  z.object({ app_id: appId, delivery_id: deliveryId }),
  webhookDelivery,
)
export const redeliverFailed = defineRequest(
  'webhook.redeliver_failed',
  1,
  z.object({ app_id: appId, since: timestamp }),
  z.object({ count: z.int().min(0) }),
)

/** Creates an app with its default workflow, key, webhook settings and owner; the secrets are returned once. */
export const setUpApp = defineRequest(
  'app.set_up',
  1,
  z.object({
    name: z.string().min(1).max(120),
    environment,
    webhook_url: z.string().max(2048).nullable(),
    /** Used to create an owner if none exists yet. */
    owner_email: z.email(),
  }),
  z.object({
    app_id: appId,
    api_key: z.string(),
    webhook_secret: z.string(),
    workflow_id: z.string(),
    owner: z.object({ email: z.string(), password: z.string() }).nullable(),
  }),
  { deadline_ms: 45_000 },
)

/**
 * Sets a new password, returned once, for an owner who lost the password or second factor. `not_found` for any other
 * user.
 */
export const recoverOwner = defineRequest(
  'owner.recover',
  1,
  z.object({ email: z.string().max(254) }),
  z.object({ email: z.string(), password: z.string() }),
)
