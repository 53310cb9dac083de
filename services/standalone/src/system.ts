import { join } from 'node:path'
import { type Bus, inProcessBus, rabbitmqBus } from '@kyc/bus'
import type { ServiceName } from '@kyc/common'
import {
  busHooks,
  openVault,
  queueDepthJob,
  reportingDamage,
  type Service,
  type ServiceDeps,
  type ServiceSchema,
  type VaultSettings,
} from '@kyc/host'
import {
  createIdentityVerifier,
  generateIdentityKeys,
  type RunningServer,
  startMetricsServer,
  startServer,
} from '@kyc/http'
import {
  type Clock,
  Closers,
  createLogger,
  createMetrics,
  createModelStore,
  type Logger,
  lockFolder,
  type Metrics,
  openDatabase,
  startEmbeddedPostgres,
  startTracing,
  systemClock,
} from '@kyc/runtime'
import { checksSchema, checksService } from '@kyc/service-checks'
import { consoleSchema, consoleService } from '@kyc/service-console'
import { faceBiometricsSchema, faceBiometricsService } from '@kyc/service-face-biometrics'
import { flowSchema, flowService } from '@kyc/service-flow'
import { gatewaySchema, gatewayService, type Upstreams } from '@kyc/service-gateway'
import { sanctionsScreeningSchema, sanctionsScreeningService } from '@kyc/service-sanctions-screening'
import { sessionSchema, sessionService } from '@kyc/service-session'
import { webhookDispatcherSchema, webhookDispatcherService } from '@kyc/service-webhook-dispatcher'
import type { StandaloneConfig } from './config.ts'
import { ensureFirstApp, type FirstApp } from './first-start.ts'
import { loadSecrets, type Secrets } from './secrets.ts'

export type RunningSystem = {
  /** The URL of the gateway. */
  url: string
  /** The URL of each service, on the loopback interface, for the gateway only. */
  services: Upstreams
  app: FirstApp
  /** True if this start created the app. */
  created: boolean
  bus: Bus
  stop(): Promise<void>
}

/** The key pair with which the gateway signs identities; generated at every start unless configured. */
type IdentityKeys = Awaited<ReturnType<typeof generateIdentityKeys>>

type Front = {
  name: Exclude<ServiceName, 'gateway'>
  schema: ServiceSchema
  create: (deps: ServiceDeps) => Promise<Service>
}

/** Every service in one process, each on a loopback port that only accepts the gateway's identities. */
export async function startSystem(
  config: StandaloneConfig,
  options: { clock?: Clock; logger?: Logger; identityKeys?: IdentityKeys } = {},
): Promise<RunningSystem> {
  const clock = options.clock ?? systemClock
  const logger = options.logger ?? createLogger({ service: 'standalone', level: config.LOG_LEVEL })
  const closers = new Closers()
  try {
    return await build(config, { clock, logger, closers, identityKeys: options.identityKeys })
  } catch (error) {
    await closers.closeAll(logger)
    throw error
  }
}

async function build(
  config: StandaloneConfig,
  {
    clock,
    logger,
    closers,
    identityKeys,
  }: { clock: Clock; logger: Logger; closers: Closers; identityKeys: IdentityKeys | undefined },
): Promise<RunningSystem> {
  // Before anything in the folder is read or created. Added first, so that it is released last.
  const lock = await lockFolder(config.DATA_DIR)
  closers.add('data folder', () => lock.release())
  closers.add('traces', await startTracing('standalone', config.OTEL_EXPORTER_OTLP_ENDPOINT))
  const secrets = await loadSecrets(join(config.DATA_DIR, 'secrets.json'))
  const url = await databaseUrl(config, logger, closers)
  const shared = createMetrics('standalone', { process: true })
  const bus = await openBus(config, url, { clock, logger, closers, metrics: shared })
  const keys = identityKeys ?? (await generateIdentityKeys())
  const vault = openVault(vaultSettings(config, secrets.vault_key), { clock, logger })
  await vault.check()
  const metrics: Metrics[] = [shared]
  const dependencies = async (name: ServiceName, schema: ServiceSchema): Promise<ServiceDeps> => {
    const own = logger.child({ service: name })
    const database = await openDatabase({ url, ...schema, poolSize: 12, logger: own })
    closers.add(`${name}: database`, () => database.close())
    const measured = createMetrics(name)
    metrics.push(measured)
    return {
      logger: own,
      metrics: measured,
      clock,
      database,
      bus,
      verifyIdentity: await createIdentityVerifier(keys.publicKey, name, clock),
      vault: reportingDamage(vault, { logger: own, metrics: measured }),
      models: createModelStore({ directory: config.MODELS_DIR, logger: own, metrics: measured }),
      publicUrl: config.PUBLIC_URL,
    }
  }

  const fronts = frontDoors(config, secrets)
  const services = await Promise.all(
    fronts.map(async ({ name, schema, create }) => create(await dependencies(name, schema))),
  )
  const servers = await Promise.all(services.map((service) => serveInside(service, logger)))
  const upstreams = Object.fromEntries(
    services.map((service, index) => [service.name, servers[index]?.url ?? '']),
  ) as Upstreams
  const gateway = await gatewayService(await dependencies('gateway', gatewaySchema), {
    ...config,
    INTERNAL_IDENTITY_PRIVATE_KEY: keys.privateKey,
    upstreams,
  })

  closers.add('bus', () => bus.close())
  await bus.start()
  const all = [...services, gateway]
  for (const service of all) closers.add(service.name, () => service.stop())
  await Promise.all(all.map((service) => service.start()))
  for (const server of servers) closers.add('loopback', () => server.stop())
  const { app, created } = await ensureFirstApp({
    bus,
    path: join(config.DATA_DIR, 'standalone.json'),
    baseUrl: config.PUBLIC_URL,
    webhookUrl: config.WEBHOOK_URL,
    logger,
  })
  if (config.METRICS_PORT !== undefined) {
    const depths = queueDepthJob(bus, { metrics: shared, logger })
    await depths.start()
    closers.add('queue depth', () => depths.stop())
    const ready = () => gateway.ready()
    const server = await startMetricsServer(metrics, ready, {
      port: config.METRICS_PORT,
      host: '127.0.0.1',
      logger,
    })
    closers.add('metrics', () => server.stop())
  }
  const door = await startServer(gateway.app, { port: config.PORT, host: config.HOST, logger })
  closers.add('http', () => door.stop())
  return { url: door.url, services: upstreams, app, created, bus, stop: () => closers.closeAll(logger) }
}

function frontDoors(config: StandaloneConfig, secrets: Secrets): Front[] {
  return [
    { name: 'session', schema: sessionSchema, create: (deps) => sessionService(deps, config) },
    { name: 'checks', schema: checksSchema, create: (deps) => checksService(deps, config) },
    {
      name: 'face-biometrics',
      schema: faceBiometricsSchema,
      create: (deps) => faceBiometricsService(deps, config),
    },
    {
      name: 'sanctions-screening',
      schema: sanctionsScreeningSchema,
      create: (deps) => sanctionsScreeningService(deps, config),
    },
    {
      name: 'webhook-dispatcher',
      schema: webhookDispatcherSchema,
      create: (deps) => webhookDispatcherService(deps, config),
    },
    {
      name: 'flow',
      schema: flowSchema,
      create: (deps) => flowService(deps, { ...config, RESULT_TOKEN_SECRET: secrets.result_token_secret }),
    },
    {
      name: 'console',
      schema: consoleSchema,
      create: (deps) => consoleService(deps, { ...config, AUDIT_SIGNING_KEY: secrets.audit_signing_key }),
    },
  ]
}

/** The configured settings; by default a folder and a key that this installation generated. */
function vaultSettings(config: StandaloneConfig, ownKey: string): VaultSettings {
  const { VAULT_KEY, VAULT_KEY_FILE, VAULT_TRANSIT_ADDRESS } = config
  const VAULT_STORE = config.VAULT_STORE ?? `folder:${join(config.DATA_DIR, 'vault')}`
  if (VAULT_KEY ?? VAULT_KEY_FILE ?? VAULT_TRANSIT_ADDRESS) return { ...config, VAULT_STORE }
  return { ...config, VAULT_STORE, VAULT_KEY: ownKey }
}

async function databaseUrl(config: StandaloneConfig, logger: Logger, closers: Closers): Promise<string> {
  if (config.DATABASE_URL) return config.DATABASE_URL
  const server = await startEmbeddedPostgres({ folder: join(config.DATA_DIR, 'postgres'), logger })
  closers.add('postgres', () => server.stop())
  return server.url
}

async function openBus(
  config: StandaloneConfig,
  url: string,
  { clock, logger, closers, metrics }: { clock: Clock; logger: Logger; closers: Closers; metrics: Metrics },
): Promise<Bus> {
  const hooks = busHooks(metrics)
  if (config.RABBITMQ_URL)
    return rabbitmqBus({ url: config.RABBITMQ_URL, service: 'standalone', logger, clock, hooks })
  const database = await openDatabase({ url, schema: 'bus', poolSize: 12, logger })
  closers.add('bus: database', () => database.close())
  return inProcessBus({ database, logger, clock, hooks })
}

const serveInside = (service: Service, logger: Logger): Promise<RunningServer> =>
  startServer(service.app, { port: 0, host: '127.0.0.1', logger: logger.child({ service: service.name }) })
