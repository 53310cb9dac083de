import { z } from 'zod'

/** What an API key may be limited to. A key without scopes may call everything of its app. */
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

/** The scope that a call with a key needs, by its path and method. */
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
