import { generateKeyPairSync } from 'node:crypto'
import type { Bus } from '@kyc/bus'
import {
  type ApiKey,
  createApiKey,
  createWorkflow,
  getDelivery,
  getWebhookEndpoint,
  listApiKeys,
  listDeliveries,
  notFound,
  provisionWebhook,
  revokeApiKey,
  rotateWebhookSecret,
  setWebhookUrl,
  updateApiKey,
} from '@kyc/common'
import { newId, newToken } from '@kyc/runtime'

export const auditKey = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))

export const settings = {
  CONSOLE_URL: undefined,
  SMTP_URL: undefined,
  MAIL_FROM: 'Console <console@example.com>',
  AUDIT_SIGNING_KEY: auditKey,
  AUDIT_PREVIOUS_KEYS: [],
}

const at = '2026-03-01T12:00:00Z'

/** Stubs the responses of the other services as far as the console needs them. Each stub isolates its apps. */
export function answerAsNeighbours(bus: Bus): void {
  const keys = new Map<string, { app: string; key: ApiKey }>()
  const endpoint = (app_id: string) => ({ app_id, url: null, secret_masked: 'whsec_****', updated_at: at })
  const keyOf = (app: string, id: string) => {
    const found = keys.get(id)
    if (found?.app !== app) throw notFound('key')
    return found
  }
  bus.respond(createWorkflow, async ({ name, is_default, config }) => ({
    id: newId('workflow'),
    name,
    is_default,
    version: 1,
    created_at: at,
    updated_at: at,
    config,
  }))
  bus.respond(provisionWebhook, async ({ app_id }) => ({
    secret: `whsec_${newToken()}`,
    endpoint: endpoint(app_id),
  }))
  bus.respond(getWebhookEndpoint, async ({ app_id }) => endpoint(app_id))
  bus.respond(setWebhookUrl, async ({ app_id, url }) => ({ ...endpoint(app_id), url }))
  bus.respond(rotateWebhookSecret, async ({ app_id }) => ({
    secret: `whsec_${newToken()}`,
    endpoint: endpoint(app_id),
  }))
  bus.respond(listDeliveries, async ({ page, page_size }) => ({ data: [], page, page_size, total: 0 }))
  bus.respond(getDelivery, async () => {
    throw notFound('webhook delivery')
  })
  bus.respond(createApiKey, async (request) => {
    const key: ApiKey = {
      id: newId('api_key'),
      name: request.name,
      prefix: 'kyc_test_abcd',
      environment: request.environment,
      created_at: at,
      last_used_at: null,
      expires_at: request.expires_at,
      revoked_at: null,
      rate_limit_per_minute: request.rate_limit_per_minute,
      scopes: request.scopes,
    }
    keys.set(key.id, { app: request.app_id, key })
    return { key: `kyc_test_${newToken()}`, api_key: key }
  })
  bus.respond(listApiKeys, async ({ app_id }) => ({
    data: [...keys.values()].filter(({ app }) => app === app_id).map(({ key }) => key),
  }))
  bus.respond(updateApiKey, async ({ app_id, id }) => keyOf(app_id, id).key)
  bus.respond(revokeApiKey, async ({ app_id, id }) => {
    const found = keyOf(app_id, id)
    found.key = { ...found.key, revoked_at: at }
    return found.key
  })
}
