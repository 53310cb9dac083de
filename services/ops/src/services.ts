import type { ServiceName } from '@kyc/common'
import type { ServiceSchema } from '@kyc/host'
import { checksSchema } from '@kyc/service-checks'
import { consoleSchema } from '@kyc/service-console'
import { faceBiometricsSchema } from '@kyc/service-face-biometrics'
import { flowSchema } from '@kyc/service-flow'
import { gatewaySchema } from '@kyc/service-gateway'
import { sanctionsScreeningSchema } from '@kyc/service-sanctions-screening'
import { sessionSchema } from '@kyc/service-session'
import { webhookDispatcherSchema } from '@kyc/service-webhook-dispatcher'

/** The schema of each service. */
export const schemas: Readonly<Record<ServiceName, ServiceSchema>> = {
  gateway: gatewaySchema,
  session: sessionSchema,
  checks: checksSchema,
  'face-biometrics': faceBiometricsSchema,
  'sanctions-screening': sanctionsScreeningSchema,
  'webhook-dispatcher': webhookDispatcherSchema,
  flow: flowSchema,
  console: consoleSchema,
}

export const serviceNames = Object.keys(schemas) as ServiceName[]
