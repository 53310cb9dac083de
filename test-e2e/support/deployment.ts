import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { rabbitmqBus } from '@kyc/bus'
import { setUpApp } from '@kyc/common'
import { generateIdentityKeys } from '@kyc/http'
import { randomText, silentLogger, startEmbeddedPostgres, systemClock } from '@kyc/runtime'
import { createTestDatabase, modelsDir, sharedDir, startRabbitmq, type TestDatabase } from '@kyc/testing'
import { type Balancer, startBalancer } from './balancer.ts'
import { type ServiceProcess, startProcess, untilUp } from './process.ts'
import { temporaryFolder } from './system.ts'

const upstreams = {
  session: 'SESSION_URL',
  checks: 'CHECKS_URL',
  'face-biometrics': 'FACE_BIOMETRICS_URL',
  'sanctions-screening': 'SANCTIONS_SCREENING_URL',
  'webhook-dispatcher': 'WEBHOOK_DISPATCHER_URL',
  flow: 'FLOW_SERVICE_URL',
  console: 'CONSOLE_SERVICE_URL',
} as const
export type DeployedService = keyof typeof upstreams | 'gateway'
export const deployedServices = [...Object.keys(upstreams), 'gateway'] as DeployedService[]

export type Replica = { port: number; metricsUrl: string; process: ServiceProcess }

/** The time a cluster may take to stop sending new connections to a terminating pod. */
const endpointsLagMs = 500
/** As set in the manifests. */
const drainSeconds = 5

/**
 * Every service as separate processes on RabbitMQ and PostgreSQL, each service behind a balancer, as in a cluster:
 * replicas are added when they are ready and removed with SIGTERM.
 */
export async function startDeployment(
  options: {
    webhookUrl?: string
    replicas?: Partial<Record<DeployedService, number>>
    environment?: Partial<Record<DeployedService, Record<string, string>>>
    /** A separate PostgreSQL that flushes every commit, with these settings in addition to its defaults. */
    durable?: Record<string, string>
    /** An existing database, which is not removed. */
    database?: TestDatabase
  } = {},
) {
  const folder = await temporaryFolder()
  const [broker, database, keys] = await Promise.all([
    startRabbitmq(),
    options.database ??
      (options.durable ? durableDatabase(join(folder, 'postgres'), options.durable) : createTestDatabase()),
    generateIdentityKeys(),
  ])
  const balancers = new Map<DeployedService, Balancer>()
  for (const service of deployedServices) balancers.set(service, await startBalancer())
  const urlOf = (service: DeployedService) => balancers.get(service)?.url ?? ''
  const lists = sharedDir('data', 'sanctions', 'lists', 'ofac_2024-05-03')
  const common = {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '4',
    RABBITMQ_URL: broker.url,
    PUBLIC_URL: urlOf('gateway'),
    INTERNAL_IDENTITY_PUBLIC_KEY: keys.publicKey,
    MODELS_DIR: modelsDir() ?? join(folder, 'models'),
    VAULT_STORE: `folder:${join(folder, 'vault')}`,
    VAULT_KEY: randomBytes(32).toString('base64'),
    DRAIN_SECONDS: String(drainSeconds),
  }
  const own: Partial<Record<DeployedService, Record<string, string>>> = {
    gateway: {
      INTERNAL_IDENTITY_PRIVATE_KEY: keys.privateKey,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: '1000000',
      ...Object.fromEntries(
        Object.entries(upstreams).map(([service, variable]) => [variable, urlOf(service as DeployedService)]),
      ),
    },
    flow: { RESULT_TOKEN_SECRET: randomText(48) },
    console: { AUDIT_SIGNING_KEY: (await generateIdentityKeys()).privateKey },
    'sanctions-screening': { SANCTIONS_DOWNLOAD: '0', ...(lists ? { SANCTIONS_DIR: lists } : {}) },
    'webhook-dispatcher': { ALLOW_PRIVATE_WEBHOOKS: '1' },
  }

  const running = new Map<DeployedService, Replica[]>(deployedServices.map((service) => [service, []]))
  const replicasOf = (service: DeployedService) => running.get(service) ?? []

  /** Starts one more replica; it gets connections once it reports that it is ready. */
  async function add(service: DeployedService): Promise<Replica> {
    // The operating system chooses the ports, because a port that was free a moment ago may be taken by the time the
    // process is up.
    const child = startProcess(service, {
      ...common,
      ...own[service],
      ...options.environment?.[service],
      PORT: '0',
      METRICS_PORT: '0',
    })
    const [port, metricsPort] = await portsOf(child)
    const replica = { port, metricsUrl: `http://127.0.0.1:${metricsPort}`, process: child }
    await untilUp(`${replica.metricsUrl}/ready`, child, 120_000)
    replicasOf(service).push(replica)
    balancers.get(service)?.add(port)
    return replica
  }

  /**
   * SIGTERM, as in a cluster: the process receives it before every node knows. Returns its exit code. A process
   * that has exited is removed.
   */
  async function remove(service: DeployedService, replica: Replica): Promise<number | null> {
    const { child } = replica.process
    const gone = child.exitCode !== null || child.signalCode !== null
    const ended = gone ? Promise.resolve([child.exitCode]) : once(child, 'exit')
    child.kill('SIGTERM')
    if (!gone) await delay(endpointsLagMs)
    balancers.get(service)?.remove(replica.port)
    running.set(
      service,
      replicasOf(service).filter((each) => each !== replica),
    )
    const [code] = (await ended) as [number | null]
    return code
  }

  await Promise.all(
    deployedServices.flatMap((service) =>
      Array.from({ length: options.replicas?.[service] ?? 1 }, () => add(service)),
    ),
  )

  return {
    baseUrl: urlOf('gateway'),
    brokerUrl: broker.url,
    broker,
    databaseUrl: database.url,
    replicasOf,
    add,
    remove,
    /**
     * Replaces every replica of a service by a new one, never with fewer ready than before; returns the exit
     * codes of the old ones.
     */
    async roll(service: DeployedService): Promise<(number | null)[]> {
      const codes: (number | null)[] = []
      for (const old of [...replicasOf(service)]) {
        await add(service)
        codes.push(await remove(service, old))
      }
      return codes
    },
    /** An app with its key and webhook secret. */
    async createApp(webhookUrl: string | null = null) {
      const bus = rabbitmqBus({ url: broker.url, service: 'test', logger: silentLogger, clock: systemClock })
      await bus.start()
      return bus
        .request(setUpApp, {
          name: 'Example app',
          environment: 'test',
          webhook_url: webhookUrl,
          owner_email: 'owner@example.org',
        })
        .finally(() => bus.close())
    },
    async stop(): Promise<void> {
      const all = deployedServices.flatMap((service) => replicasOf(service))
      // There are no other nodes to wait for.
      await Promise.all(all.map(({ process }) => process.kill('SIGKILL')))
      for (const balancer of balancers.values()) balancer.close()
      await broker.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A server as the product starts it: acknowledged commits are on disk. */
async function durableDatabase(folder: string, settings: Record<string, string>): Promise<TestDatabase> {
  const server = await startEmbeddedPostgres({ folder, logger: silentLogger, settings })
  return { url: server.url, drop: () => server.stop() }
}

/** Ports of a process, from its log: first its own, then that of its metrics. */
async function portsOf(child: ServiceProcess): Promise<[number, number]> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const said = [...child.output().matchAll(/"message":"listening","port":(\d+)/g)].map(([, port]) =>
      Number(port),
    )
    const [own, metrics] = said
    if (own !== undefined && metrics !== undefined) return [own, metrics]
    if (child.child.exitCode !== null || Date.now() > deadline)
      throw new Error(`a service did not listen:\n${child.output()}`)
    await delay(50)
  }
}

export type Deployment = Awaited<ReturnType<typeof startDeployment>>
