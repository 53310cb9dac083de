import type { IconName } from '../ui/icon.tsx'

/** The views of an app, as the navigation and the palette list them; `go` is the key after `g`. */
export const appViews = [
  { to: '/apps/$appId/queue', name: 'Queue', icon: 'queue', go: 'q' },
  { to: '/apps/$appId/sessions', name: 'Sessions', icon: 'sessions', go: 's' },
  { to: '/apps/$appId/analytics', name: 'Analytics', icon: 'analytics', go: 'a' },
  { to: '/apps/$appId/workflows', name: 'Workflows', icon: 'workflows', go: 'w' },
  { to: '/apps/$appId/block-list', name: 'Block list', icon: 'block', go: null },
  { to: '/apps/$appId/webhooks', name: 'Webhooks', icon: 'webhooks', go: null },
  { to: '/apps/$appId/keys', name: 'Keys', icon: 'keys', go: null },
  { to: '/apps/$appId/settings', name: 'Settings', icon: 'settings', go: null },
] as const satisfies readonly { to: string; name: string; icon: IconName; go: string | null }[]

export const commonViews = [
  { to: '/lists', name: 'Sanctions lists', icon: 'lists' },
  { to: '/audit', name: 'Audit', icon: 'audit' },
  { to: '/users', name: 'Users', icon: 'users' },
] as const satisfies readonly { to: string; name: string; icon: IconName }[]
