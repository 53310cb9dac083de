import { type Bus, rabbitmqBus } from '@kyc/bus'
import type { ServiceName } from '@kyc/common'
import { createIdentityVerifier, startMetricsServer, startServer } from '@kyc/http'
import {
  Closers,
  ConfigError,
  commonConfig,
  createLogger,
  createMetrics,
  createModelStore,
  type LogLevel,
  loadConfig,
  migrate,
  openDatabase,
  startTracing,
  systemClock,
} from '@kyc/runtime'
import { z } from 'zod'
import { busHooks, queueDepthJob } from './bus-metrics.ts'
import { reportingDamage } from './report-damage.ts'
import type { Service, ServiceDeps, ServiceSchema } from './service.ts'
import { closedVault, openVault, type VaultSettings } from './vault.ts'

/** The part of the environment that every process reads (see `commonConfig`). */
export type ProcessSettings = Partial<VaultSettings> & {
  PORT: number
  HOST: string
  LOG_LEVEL: LogLevel
  DATABASE_URL: string
  DATABASE_POOL_SIZE: number
  MIGRATE_ON_START: boolean
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  DRAIN_SECONDS: number
  RABBITMQ_URL: string
  PUBLIC_URL: string
  INTERNAL_IDENTITY_PUBLIC_KEY: string
  METRICS_PORT: number
  MODELS_DIR: string
}

/**
 * Runs one service as a separate process until SIGTERM or SIGINT, then shuts it down in order. With the argument
 * `migrate` it migrates the service's schema and exits, which needs only DATABASE_URL.
 */
export async function runServiceProcess<C extends ProcessSettings>(options: {
  name: ServiceName
  schema: ServiceSchema
  readConfig: () => C
  create: (deps: ServiceDeps, config: C) => Promise<Service>
}): Promise<void> {
  const bootLogger = createLogger({ service: options.name })
  try {
    if (process.argv[2] === 'migrate') await migrateOnly(options.schema, bootLogger)
    else await start(options.name, options.schema, options.readConfig(), options.create)
  } catch (error) {
    if (error instanceof ConfigError) bootLogger.error(error.message)
    else bootLogger.error('the service could not start', { error })
    process.exitCode = 1
  }
}

/** Longer than the gateway waits for a service, so that no request with a waiting client is aborted. */
const longestRequestMs = 35_000

async function migrateOnly(
  { schema, migrations }: ServiceSchema,
  logger: ServiceDeps['logger'],
): Promise<void> {
  const { DATABASE_URL: url } = loadConfig(z.object({ DATABASE_URL: commonConfig.DATABASE_URL }))
  await migrate({ url, schema, folder: migrations, logger })
  logger.info('the schema is up to date', { schema })
}

async function start<C extends ProcessSettings>(
  name: ServiceName,
  schema: ServiceSchema,
  config: C,
  create: (deps: ServiceDeps, config: C) => Promise<Service>,
): Promise<void> {
  const logger = createLogger({ service: name, level: config.LOG_LEVEL })
  const metrics = createMetrics(name, { process: true })
  const closers = new Closers()
  endOnSignal(closers, logger)
  closers.add('traces', await startTracing(name, config.OTEL_EXPORTER_OTLP_ENDPOINT))

  const database = await openDatabase({
    url: config.DATABASE_URL,
    ...schema,
    poolSize: config.DATABASE_POOL_SIZE,
    migrate: config.MIGRATE_ON_START,
    logger,
  })
  closers.add('database', () => database.close())
  const bus: Bus = rabbitmqBus({
    url: config.RABBITMQ_URL,
    service: name,
    logger,
    clock: systemClock,
    hooks: busHooks(metrics),
  })
  closers.add('bus', () => bus.close())

  const vault = vaultOf(config, { logger, metrics })
  if (config.VAULT_STORE !== undefined) await vault.check()
  const service = await create(
    {
      logger,
      metrics,
      clock: systemClock,
      database,
      bus,
      verifyIdentity: await createIdentityVerifier(config.INTERNAL_IDENTITY_PUBLIC_KEY, name, systemClock),
      vault,
      models: createModelStore({ directory: config.MODELS_DIR, logger, metrics }),
      publicUrl: config.PUBLIC_URL.replace(/\/$/, ''),
    },
    config,
  )
  await bus.start()
  closers.add(name, () => service.stop())
  await service.start()
  const depths = queueDepthJob(bus, { metrics, logger })
  await depths.start()
  closers.add('queue depth', () => depths.stop())
  const server = await startServer(service.app, {
    port: config.PORT,
    host: config.HOST,
    logger,
    drainMs: config.DRAIN_SECONDS * 1000,
    stopWithinMs: longestRequestMs,
  })
  closers.add('http', () => server.stop())
  const metricsServer = await startMetricsServer([metrics], () => service.ready(), {
    port: config.METRICS_PORT,
    host: config.HOST,
    logger,
  })
  closers.add('metrics', () => metricsServer.stop())
}

/** Only services with vault settings in their configuration have its key. */
function vaultOf(config: ProcessSettings, deps: Pick<ServiceDeps, 'logger' | 'metrics'>) {
  const { VAULT_STORE } = config
  if (VAULT_STORE === undefined) return closedVault()
  const vault = openVault({ ...config, VAULT_STORE }, { clock: systemClock, logger: deps.logger })
  return reportingDamage(vault, deps)
}

/** Closes everything that was opened, newest first, so that the event loop becomes empty and the process exits. */
export function endOnSignal(closers: Closers, logger: ServiceDeps['logger']): void {
  const end = (signal: NodeJS.Signals) => {
    logger.info('stopping', { signal })
    void closers.closeAll(logger)
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}
