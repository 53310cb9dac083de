import { z } from 'zod'

/** The scopes to which an API key can be limited. A key without scopes can call everything of its app. */
export const keyScopes = [
  'sessions:read',
  'sessions:write',
  'workflows:read',
  'checks',
  'webhook_deliveries:read',
  'webhook_deliveries:write',
] as const
export const keyScope = z.enum(keyScopes)
export type KeyScope = z.infer<typeof keyScope>

/** The scope that a key needs for a call, by path and method. */
export function scopeOf(endpoint: { method: string; path: string }): KeyScope {
  const resource = endpoint.path.split('/')[2]
  const read = endpoint.method === 'get'
  switch (resource) {
    case 'checks':
      return 'checks'
    case 'workflows':
      return 'workflows:read'
    case 'webhook-deliveries':
      return read ? 'webhook_deliveries:read' : 'webhook_deliveries:write'
    default:
      return read ? 'sessions:read' : 'sessions:write'
  }
}
