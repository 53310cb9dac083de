// Only the session service in this process, with one app that has a workflow.
import { randomBytes } from 'node:crypto'
import { inProcessBus } from '@kyc/bus'
import { createWorkflow, defaultWorkflowConfig } from '@kyc/common'
import { openVault } from '@kyc/host'
import { createIdentityVerifier, startServer } from '@kyc/http'
import { createMetrics, createModelStore, openDatabase, silentLogger, systemClock } from '@kyc/runtime'
import { sessionSchema, sessionService } from '@kyc/service-session'

const url = process.env.BENCH_DATABASE_URL ?? ''
const appId = process.env.BENCH_APP_ID ?? ''
const { publicKey } = JSON.parse(process.env.BENCH_IDENTITY_KEYS ?? '{}') as { publicKey: string }
const logger = silentLogger
const clock = systemClock
const database = await openDatabase({ url, ...sessionSchema, poolSize: 16, logger })
const busDatabase = await openDatabase({ url, schema: 'bus', logger })
const bus = inProcessBus({ database: busDatabase, logger })
const service = await sessionService(
  {
    logger,
    clock,
    database,
    bus,
    metrics: createMetrics('session'),
    verifyIdentity: await createIdentityVerifier(publicKey, 'session', clock),
    vault: openVault(
      {
        VAULT_STORE: `folder:${process.env.BENCH_VAULT_FOLDER}`,
        VAULT_KEY: randomBytes(32).toString('base64'),
      },
      { clock, logger },
    ),
    models: createModelStore({ directory: '/nonexistent', logger }),
    publicUrl: 'http://localhost',
  },
  { FLOW_URL: undefined, PROCESSING_DEADLINE_SECONDS: 120, CLOCK_SECONDS: 60 },
)
await bus.start()
await service.start()
await bus.request(createWorkflow, {
  app_id: appId,
  name: 'Default',
  is_default: true,
  config: defaultWorkflowConfig(),
})
const server = await startServer(service.app, { port: 0, host: '127.0.0.1', logger })
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`)
