import type { Bus } from '@kyc/bus'
import { apiKeyPrefix, createApiKey, listApiKeys, notFound, revokeApiKey, updateApiKey } from '@kyc/common'
import { type Clock, newId, newToken, sha256Hex } from '@kyc/runtime'
import type { ApiKeyStore } from '../store/api-keys.ts'

/** Handles the API key requests of the console and of the first start. */
export function respond(bus: Bus, store: ApiKeyStore, clock: Clock): void {
  bus.respond(createApiKey, async (request) => {
    const key = `${apiKeyPrefix[request.environment]}${newToken()}`
    const apiKey = await store.insert({
      id: newId('api_key'),
      app_id: request.app_id,
      environment: request.environment,
      name: request.name,
      prefix: key.slice(0, apiKeyPrefix[request.environment].length + 4),
      sha256: Buffer.from(sha256Hex(key), 'hex'),
      rate_limit_per_minute: request.rate_limit_per_minute,
      scopes: request.scopes,
      created_at: clock.now(),
      expires_at: request.expires_at === null ? null : new Date(request.expires_at),
    })
    return { key, api_key: apiKey }
  })
  bus.respond(listApiKeys, async ({ app_id }) => ({ data: await store.list(app_id) }))
  bus.respond(updateApiKey, async ({ app_id, id, ...change }) => {
    const changed = await store.update(app_id, id, change)
    if (!changed) throw notFound('key')
    return changed
  })
  bus.respond(revokeApiKey, async ({ app_id, id }) => {
    const revoked = await store.revoke(app_id, id, clock.now())
    if (!revoked) throw notFound('key')
    return revoked
  })
}
