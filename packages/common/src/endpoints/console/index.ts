import type { Endpoint } from '../define.ts'
import { consoleAccountEndpoints } from './account.ts'
import { consoleAppEndpoints } from './apps.ts'
import { consoleAuditEndpoints } from './audit.ts'
import { consoleUserEndpoints } from './users.ts'
import { consoleWebhookEndpoints } from './webhooks.ts'

export * from './account.ts'
export * from './apps.ts'
export * from './audit.ts'
export * from './parts.ts'
export * from './users.ts'
export * from './webhooks.ts'

/** Every endpoint of the console's API, by operation. Not part of the public interface: its pages are its client. */
export const consoleEndpoints = {
  ...consoleAccountEndpoints,
  ...consoleUserEndpoints,
  ...consoleAppEndpoints,
  ...consoleWebhookEndpoints,
  ...consoleAuditEndpoints,
}
export type ConsoleOperationId = keyof typeof consoleEndpoints

export const allConsoleEndpoints: readonly (Endpoint & { operationId: ConsoleOperationId })[] =
  Object.entries(consoleEndpoints).map(([operationId, endpoint]) => ({
    ...(endpoint as Endpoint),
    operationId: operationId as ConsoleOperationId,
  }))
