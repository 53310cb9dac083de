import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rabbitmqBus } from '@kyc/bus'
import { setUpApp } from '@kyc/common'
import { generateIdentityKeys } from '@kyc/http'
import { freePort, randomText, silentLogger, startEmbeddedPostgres, systemClock } from '@kyc/runtime'
import { startRabbitmq } from '@kyc/testing'
import pg from 'pg'
import { type ServiceProcess, startProcess, untilUp } from '../support/process.ts'
import { temporaryFolder } from '../support/system.ts'
import { type HostileReceiver, startHostileReceiver } from './hostile-receiver.ts'
import { startProxy } from './proxy.ts'

const upstreams = {
  session: 'SESSION_URL',
  checks: 'CHECKS_URL',
  'face-biometrics': 'FACE_BIOMETRICS_URL',
  'sanctions-screening': 'SANCTIONS_SCREENING_URL',
  'webhook-dispatcher': 'WEBHOOK_DISPATCHER_URL',
  flow: 'FLOW_SERVICE_URL',
  console: 'CONSOLE_SERVICE_URL',
} as const
type Upstream = keyof typeof upstreams
export type ServiceName = Upstream | 'gateway'
export const serviceNames: readonly ServiceName[] = [...(Object.keys(upstreams) as Upstream[]), 'gateway']

/** The deadline after which a session goes to review because a message was lost. */
export const processingDeadlineSeconds = 30

/** Every service as a separate process on a real RabbitMQ and a durable PostgreSQL, both behind proxies. */
export async function startCluster() {
  const folder = await temporaryFolder()
  const databaseFolder = join(folder, 'postgres')
  const startDatabase = () => startEmbeddedPostgres({ folder: databaseFolder, logger: silentLogger })
  const [broker, receiver, keys] = await Promise.all([
    startRabbitmq(),
    startHostileReceiver(),
    generateIdentityKeys(),
  ])
  let database = await startDatabase()
  const dataFolder = await dataFolderOf(database.url)
  const databaseProxy = await startProxy(portOf(database.url))
  const brokerProxy = await startProxy(portOf(broker.url))
  const databaseUrl = withPort(database.url, databaseProxy.port)
  const brokerUrl = withPort(broker.url, brokerProxy.port)
  const gatewayPort = String(await freePort())
  const metricsPort = String(await freePort())
  const baseUrl = `http://127.0.0.1:${gatewayPort}`
  const common = {
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    DATABASE_URL: databaseUrl,
    RABBITMQ_URL: brokerUrl,
    PUBLIC_URL: baseUrl,
    INTERNAL_IDENTITY_PUBLIC_KEY: keys.publicKey,
    MODELS_DIR: join(folder, 'no-models'),
    VAULT_STORE: `folder:${join(folder, 'vault')}`,
    VAULT_KEY: randomBytes(32).toString('base64'),
  }
  const own: Partial<Record<ServiceName, Record<string, string>>> = {
    session: { PROCESSING_DEADLINE_SECONDS: String(processingDeadlineSeconds), CLOCK_SECONDS: '1' },
    flow: { RESULT_TOKEN_SECRET: randomText(48) },
    console: { AUDIT_SIGNING_KEY: (await generateIdentityKeys()).privateKey },
    'sanctions-screening': { SANCTIONS_DOWNLOAD: '0' },
    'webhook-dispatcher': {
      ALLOW_PRIVATE_WEBHOOKS: '1',
      WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,2,2,3,3,3',
      WEBHOOK_TIMEOUT_MS: '1500',
    },
    gateway: {
      // The public port does not expose readiness.
      METRICS_PORT: metricsPort,
      INTERNAL_IDENTITY_PRIVATE_KEY: keys.privateKey,
      RATE_LIMIT_PER_MINUTE: '100000',
      RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: '100000',
    },
  }
  const ports: Record<string, string> = { gateway: gatewayPort }
  const urls: Record<string, string> = {}
  for (const [service, variable] of Object.entries(upstreams)) {
    ports[service] = String(await freePort())
    urls[variable] = `http://127.0.0.1:${ports[service]}`
  }
  const processes = new Map<ServiceName, ServiceProcess>()
  const logs: string[] = []
  const start = (service: ServiceName) => {
    const environment = { ...common, ...urls, ...own[service], PORT: ports[service] ?? '' }
    processes.set(service, startProcess(service, environment))
  }
  const up = async (service: ServiceName): Promise<void> => {
    const running = processes.get(service)
    if (running === undefined) throw new Error(`${service} was not started`)
    await untilUp(`http://127.0.0.1:${ports[service]}/health`, running, 120_000)
  }
  const processOf = (service: ServiceName): ServiceProcess => {
    const running = processes.get(service)
    if (running === undefined) throw new Error(`${service} was not started`)
    return running
  }
  for (const service of serviceNames) start(service)
  await Promise.all(serviceNames.map(up))
  const app = await firstApp(broker.url, receiver)

  return {
    folder,
    baseUrl,
    app,
    receiver,
    broker,
    /** Bypasses the proxies, for observers outside the system. */
    brokerUrl: broker.url,
    databaseUrl: () => database.url,
    cutBroker: () => brokerProxy.cut(),
    cutDatabase: () => databaseProxy.cut(),
    /** The output of every process so far, including killed ones. */
    output: () => [...logs, ...[...processes.values()].map((running) => running.output())].join('\n'),
    async kill(service: ServiceName): Promise<void> {
      const running = processOf(service)
      await running.kill('SIGKILL')
      logs.push(running.output())
    },
    async restart(service: ServiceName): Promise<void> {
      start(service)
      await up(service)
    },
    /** Services that exited without being told to, with the last lines of their output. */
    died: (): string[] =>
      serviceNames.flatMap((service) => {
        const running = processOf(service)
        const { exitCode, signalCode } = running.child
        if (exitCode === null && signalCode === null) return []
        return [`${service} ended by itself (${exitCode ?? signalCode}): ${running.output().slice(-1_500)}`]
      }),
    signal: (service: ServiceName, signal: NodeJS.Signals) => void processOf(service).child.kill(signal),
    /** SIGKILLs the server and with it every connection; its supervisor restarts it. */
    async killDatabase(): Promise<void> {
      const pid = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')
      process.kill(Number(pid.split('\n')[0]), 'SIGKILL')
    },
    stopDatabase: () => database.stop(),
    async startDatabase(): Promise<void> {
      database = await startDatabase()
      databaseProxy.target(portOf(database.url))
    },
    /** Services that report that they are not ready, by name. */
    async unready(): Promise<string[]> {
      const answers = await Promise.all(
        serviceNames.map(async (service) => {
          const port = service === 'gateway' ? metricsPort : ports[service]
          const status = await fetch(`http://127.0.0.1:${port}/ready`).then(
            (response) => response.status,
            () => 0,
          )
          return status === 200 ? [] : [service]
        }),
      )
      return answers.flat()
    },
    /** Files of the database and the vault, and outputs of processes, that contain `text` in clear. */
    async inTheClear(text: string): Promise<string[]> {
      const found = this.output().includes(text) ? ['the output of a service'] : []
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        if (entry.isFile() && (await readFile(path).catch(() => '')).includes(text)) found.push(path)
      }
      return found
    },
    async stop(): Promise<void> {
      await Promise.all([...processes.values()].map((running) => running.kill()))
      await Promise.all([databaseProxy.close(), brokerProxy.close(), receiver.close()])
      await broker.stop()
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type Cluster = Awaited<ReturnType<typeof startCluster>>

async function firstApp(brokerUrl: string, receiver: HostileReceiver) {
  const bus = rabbitmqBus({ url: brokerUrl, service: 'test', logger: silentLogger, clock: systemClock })
  await bus.start()
  const app = await bus
    .request(setUpApp, {
      name: 'Example app',
      environment: 'test',
      webhook_url: receiver.url,
      owner_email: 'owner@example.org',
    })
    .finally(() => bus.close())
  receiver.use(app.webhook_secret)
  return app
}

async function dataFolderOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
  await client.end()
  return rows[0]?.data_directory ?? ''
}

const portOf = (url: string): number => Number(new URL(url).port)

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}
