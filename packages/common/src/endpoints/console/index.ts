import type { Endpoint } from '../define.ts'
import { consoleAccountEndpoints } from './account.ts'
import { consoleAnalyticsEndpoints } from './analytics.ts'
import { consoleAppEndpoints } from './apps.ts'
import { consoleAuditEndpoints } from './audit.ts'
import { consoleListEndpoints } from './lists.ts'
import { consoleLiveEndpoints } from './live.ts'
import { consolePasskeyEndpoints } from './passkeys.ts'
import { consoleQueueEndpoints } from './queue.ts'
import { consoleSessionEndpoints } from './sessions.ts'
import { consoleUserEndpoints } from './users.ts'
import { consoleViewEndpoints } from './views.ts'
import { consoleWebhookEndpoints } from './webhooks.ts'
import { consoleWorkflowEndpoints } from './workflows.ts'

export * from './account.ts'
export * from './analytics.ts'
export * from './apps.ts'
export * from './audit.ts'
export * from './lists.ts'
export * from './live.ts'
export * from './parts.ts'
export * from './passkeys.ts'
export * from './queue.ts'
export * from './sessions.ts'
export * from './users.ts'
export * from './views.ts'
export * from './webhooks.ts'
export * from './workflows.ts'

/**
 * Every endpoint of the console's API, by operation. Not part of the public API, because the console's pages are its
 * only client.
 */
export const consoleEndpoints = {
  ...consoleAccountEndpoints,
  ...consolePasskeyEndpoints,
  ...consoleUserEndpoints,
  ...consoleAppEndpoints,
  ...consoleWebhookEndpoints,
  ...consoleAuditEndpoints,
  ...consoleWorkflowEndpoints,
  ...consoleSessionEndpoints,
  ...consoleQueueEndpoints,
  ...consoleViewEndpoints,
  ...consoleLiveEndpoints,
  ...consoleAnalyticsEndpoints,
  ...consoleListEndpoints,
}
export type ConsoleOperationId = keyof typeof consoleEndpoints

export const allConsoleEndpoints: readonly (Endpoint & { operationId: ConsoleOperationId })[] =
  Object.entries(consoleEndpoints).map(([operationId, endpoint]) => ({
    ...(endpoint as Endpoint),
    operationId: operationId as ConsoleOperationId,
  }))
