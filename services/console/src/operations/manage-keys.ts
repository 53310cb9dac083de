import {
  type ApiKey,
  apiKeyId,
  createApiKey,
  type KeyScope,
  notFound,
  revokeApiKey,
  updateApiKey,
} from '@kyc/common'
import { findApp } from '../store/apps.ts'
import { type Actor, type Operations, record } from './context.ts'

/** The full value is in this response and nowhere else. */
export async function createKey(
  operations: Operations,
  actor: Actor,
  given: {
    app_id: string
    name: string
    scopes: KeyScope[] | null
    expires_at: string | null
    rate_limit_per_minute: number | null
  },
): Promise<{ key: string; api_key: ApiKey }> {
  const { database, bus } = operations
  const app = await findApp(database, given.app_id)
  if (!app) throw notFound('app')
  const made = await bus.request(createApiKey, { ...given, environment: app.environment })
  await record(operations, actor, {
    app_id: app.app_id,
    action: 'key.created',
    target: made.api_key.id,
    details: { scopes: given.scopes === null ? 'all' : given.scopes.join(' '), expires_at: given.expires_at },
  })
  return made
}

export async function changeKey(
  operations: Operations,
  actor: Actor,
  given: { app_id: string; id: string; name?: string; rate_limit_per_minute?: number | null },
): Promise<ApiKey> {
  requireKeyId(given.id)
  const changed = await operations.bus.request(updateApiKey, given)
  await record(operations, actor, {
    app_id: given.app_id,
    action: 'key.changed',
    target: given.id,
    details: { rate_limit_per_minute: changed.rate_limit_per_minute },
  })
  return changed
}

/** Every gateway replica rejects the key within a second. */
export async function revokeKey(
  operations: Operations,
  actor: Actor,
  given: { app_id: string; id: string },
): Promise<ApiKey> {
  requireKeyId(given.id)
  const revoked = await operations.bus.request(revokeApiKey, given)
  await record(operations, actor, { app_id: given.app_id, action: 'key.revoked', target: given.id })
  return revoked
}

/** An id of another format is reported as not found. */
function requireKeyId(id: string): void {
  if (!apiKeyId.safeParse(id).success) throw notFound('key')
}
