// Only the gateway in this process, in front of the service whose URL is the first argument.
import { inProcessBus } from '@kyc/bus'
import { createApiKey } from '@kyc/common'
import { createIdentityVerifier, generateIdentityKeys, startServer } from '@kyc/http'
import { createMetrics, newId, openDatabase, silentLogger, systemClock } from '@kyc/runtime'
import { gatewaySchema, gatewayService, type Upstreams } from '@kyc/service-gateway'

const target = process.argv[2] ?? ''
const url = process.env.BENCH_DATABASE_URL ?? ''
const appId = process.env.BENCH_APP_ID ?? newId('app')
const logger = silentLogger
const clock = systemClock
const database = await openDatabase({ url, ...gatewaySchema, logger })
const busDatabase = await openDatabase({ url, schema: 'bus', logger })
const bus = inProcessBus({ database: busDatabase, logger })
const keys = process.env.BENCH_IDENTITY_KEYS
  ? (JSON.parse(process.env.BENCH_IDENTITY_KEYS) as Awaited<ReturnType<typeof generateIdentityKeys>>)
  : await generateIdentityKeys()
const names = [
  'session',
  'checks',
  'face-biometrics',
  'sanctions-screening',
  'webhook-dispatcher',
  'flow',
  'console',
]
const gateway = await gatewayService(
  {
    logger,
    clock,
    database,
    bus,
    metrics: createMetrics('gateway'),
    verifyIdentity: await createIdentityVerifier(keys.publicKey, 'gateway', clock),
    publicUrl: 'http://localhost',
  },
  {
    INTERNAL_IDENTITY_PRIVATE_KEY: keys.privateKey,
    RATE_LIMIT_PER_MINUTE: 1_000_000,
    RATE_LIMIT_IMAGE_CHECKS_PER_MINUTE: 1_000_000,
    TRUSTED_PROXIES: [],
    FLOW_URL: undefined,
    CONSOLE_URL: undefined,
    UPSTREAM_TIMEOUT_SECONDS: 30,
    UPSTREAM_MAX_WAITING: 128,
    REDIS_URL: undefined,
    upstreams: Object.fromEntries(names.map((name) => [name, target])) as Upstreams,
  },
)
await bus.start()
await gateway.start()
const { key } = await bus.request(createApiKey, {
  app_id: appId,
  environment: 'test',
  name: 'bench',
  expires_at: null,
  rate_limit_per_minute: null,
})
const server = await startServer(gateway.app, { port: 0, host: '127.0.0.1', logger })
process.stdout.write(`${JSON.stringify({ url: server.url, key })}\n`)
