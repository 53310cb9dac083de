import { z } from 'zod'
import { checkEndpoints } from './checks.ts'
import { defineContract, type Endpoint } from './define.ts'
import { flowEndpoints } from './flow.ts'
import { sessionEndpoints } from './sessions.ts'
import { testModeEndpoints } from './test-mode.ts'
import { webhookDeliveryEndpoints } from './webhook-deliveries.ts'

export const healthEndpoints = defineContract({
  getHealth: {
    method: 'get',
    path: '/health',
    service: 'gateway',
    caller: 'anyone',
    tag: 'Health',
    summary: 'Liveness; no key',
    success: { status: 200, body: z.object({ ok: z.literal(true) }) },
    errors: [],
  },
  getOpenApi: {
    method: 'get',
    path: '/openapi.json',
    service: 'gateway',
    caller: 'anyone',
    tag: 'Health',
    summary: 'This interface as an OpenAPI 3.1 document',
    success: { status: 200, body: z.record(z.string(), z.unknown()) },
    errors: [],
  },
})

/** Every endpoint of the public API, by operation. */
export const endpoints = {
  ...healthEndpoints,
  ...sessionEndpoints,
  ...checkEndpoints,
  ...webhookDeliveryEndpoints,
  ...testModeEndpoints,
  ...flowEndpoints,
}
export type OperationId = keyof typeof endpoints

export const allEndpoints: readonly (Endpoint & { operationId: OperationId })[] = Object.entries(
  endpoints,
).map(([operationId, endpoint]) => ({ ...(endpoint as Endpoint), operationId: operationId as OperationId }))

/** The body of every error (section 7). */
export const errorEnvelope = z.object({ error: z.object({ code: z.string(), message: z.string() }) })
export type ErrorEnvelope = z.infer<typeof errorEnvelope>
