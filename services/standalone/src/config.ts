import { isAbsolute, join } from 'node:path'
import { commonConfig, integer, loadConfig, vaultConfig } from '@kyc/runtime'
import { checksSettings } from '@kyc/service-checks'
import { consoleSettings } from '@kyc/service-console'
import { faceBiometricsSettings } from '@kyc/service-face-biometrics'
import { flowSettings } from '@kyc/service-flow'
import { gatewaySettings } from '@kyc/service-gateway'
import { sanctionsSettings } from '@kyc/service-sanctions-screening'
import { sessionSettings } from '@kyc/service-session'
import { dispatcherSettings } from '@kyc/service-webhook-dispatcher'
import { z } from 'zod'

const schema = z.object({
  PORT: commonConfig.PORT,
  HOST: commonConfig.HOST,
  LOG_LEVEL: commonConfig.LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT: commonConfig.OTEL_EXPORTER_OTLP_ENDPOINT,
  /** All persistent data: database, vault, keys, lists, standalone.json. */
  DATA_DIR: z.string().default('.data'),
  /** The public URL of the system; default http://localhost:PORT. */
  PUBLIC_URL: z.url().optional(),
  /** An external PostgreSQL instead of the embedded one. */
  DATABASE_URL: z.string().optional(),
  /** An external RabbitMQ instead of the in-process bus. */
  RABBITMQ_URL: z.string().optional(),
  /** Model files; default DATA_DIR/models. */
  MODELS_DIR: z.string().optional(),
  /** Set on the first app when it is created. */
  WEBHOOK_URL: z.url().optional(),
  /** The vault settings of separate processes; default DATA_DIR/vault with a generated key. */
  ...vaultConfig,
  VAULT_STORE: vaultConfig.VAULT_STORE.optional(),
  /** Metrics on a separate port; disabled when absent. */
  METRICS_PORT: integer(0, 65_535).optional(),
  ...gatewaySettings.shape,
  ...sessionSettings.shape,
  ...flowSettings.omit({ RESULT_TOKEN_SECRET: true }).shape,
  ...consoleSettings.omit({ AUDIT_SIGNING_KEY: true }).shape,
  ...checksSettings.shape,
  ...faceBiometricsSettings.shape,
  ...sanctionsSettings.shape,
  ...dispatcherSettings.shape,
})

export type StandaloneConfig = z.output<typeof schema> & { PUBLIC_URL: string; MODELS_DIR: string }

/** `environment` defaults to the process's environment; tests pass another. */
export function readConfig(environment?: Record<string, string | undefined>): StandaloneConfig {
  const config = loadConfig(schema, environment)
  const dataDir = isAbsolute(config.DATA_DIR) ? config.DATA_DIR : join(process.cwd(), config.DATA_DIR)
  return {
    ...config,
    DATA_DIR: dataDir,
    PUBLIC_URL: (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/$/, ''),
    MODELS_DIR: config.MODELS_DIR ?? join(dataDir, 'models'),
  }
}
