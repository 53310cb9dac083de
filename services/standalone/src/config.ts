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
  /** Everything that is kept: database, vault, keys, lists, standalone.json. */
  DATA_DIR: z.string().default('.data'),
  /** Where clients and people reach the system; http://localhost:PORT otherwise. */
  PUBLIC_URL: z.url().optional(),
  /** A PostgreSQL of yours in place of the embedded one. */
  DATABASE_URL: z.string().optional(),
  /** A RabbitMQ of yours in place of the in-process bus. */
  RABBITMQ_URL: z.string().optional(),
  /** Model files; DATA_DIR/models otherwise. */
  MODELS_DIR: z.string().optional(),
  /** Set on the first app when it is made. */
  WEBHOOK_URL: z.url().optional(),
  /** The vault, as separate processes have it; DATA_DIR/vault with a key of its own otherwise. */
  ...vaultConfig,
  VAULT_STORE: vaultConfig.VAULT_STORE.optional(),
  /** Metrics on a port of their own; none when absent. */
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

/** `environment` is the process's own unless a test gives another. */
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
