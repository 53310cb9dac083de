import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bus, inProcessBus } from '@kyc/bus'
import type { ServiceName } from '@kyc/common'
import type { Service, ServiceDeps, ServiceSchema } from '@kyc/host'
import {
  type CallerIdentity,
  createIdentitySigner,
  createIdentityVerifier,
  generateIdentityKeys,
  identityHeader,
} from '@kyc/http'
import {
  createMetrics,
  createModelStore,
  newId,
  openDatabase,
  type PooledDatabase,
  silentLogger,
} from '@kyc/runtime'
import { createVault, folderStore, keysFromConfig } from '@kyc/vault'
import { TestClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { modelsDir } from './shared-data.ts'

export type ServiceHarness = {
  service: Service
  deps: ServiceDeps
  clock: TestClock
  bus: Bus
  database: PooledDatabase
  /** The header of a request that came through the gateway; by default with an API key of a new app. */
  identity(caller?: Partial<CallerIdentity>): Promise<Record<string, string>>
  /** Processes everything in outboxes and queues. */
  drain(): Promise<void>
  close(): Promise<void>
}

/**
 * One real service with a private database and the in-process bus. `before` may subscribe and respond on behalf of the
 * services that are not running.
 */
export async function startService(
  name: ServiceName,
  schema: ServiceSchema,
  create: (deps: ServiceDeps) => Promise<Service> | Service,
  options: { before?: (bus: Bus) => void; clock?: TestClock } = {},
): Promise<ServiceHarness> {
  const clock = options.clock ?? new TestClock()
  const testDatabase: TestDatabase = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'kyc-vault-'))
  const database = await openDatabase({ url: testDatabase.url, ...schema, logger: silentLogger })
  const busDatabase = await openDatabase({ url: testDatabase.url, schema: 'bus', logger: silentLogger })
  const bus = inProcessBus({ database: busDatabase, logger: silentLogger, clock })
  const keys = await generateIdentityKeys()
  const sign = await createIdentitySigner(keys.privateKey, clock)
  const vault = createVault({
    store: folderStore(folder),
    keys: keysFromConfig({ current: { id: 'test', key: randomBytes(32).toString('base64') }, previous: [] }),
    clock,
  })
  const deps: ServiceDeps = {
    logger: silentLogger,
    metrics: createMetrics(name),
    clock,
    database,
    bus,
    verifyIdentity: await createIdentityVerifier(keys.publicKey, name, clock),
    vault,
    models: createModelStore({ directory: modelsDir() ?? folder, logger: silentLogger }),
    publicUrl: 'http://localhost:8080',
  }
  options.before?.(bus)
  const service = await create(deps)
  await bus.start()
  await service.start()
  return {
    service,
    deps,
    clock,
    bus,
    database,
    identity: async (caller = {}) => {
      const whole = {
        type: 'api_key',
        app_id: newId('app'),
        environment: 'test',
        key_id: newId('api_key'),
        address: null,
      }
      return { [identityHeader]: await sign({ ...whole, ...caller } as CallerIdentity, name) }
    },
    drain: () => bus.drain(),
    close: async () => {
      await service.stop()
      await bus.close()
      await database.close()
      await busDatabase.close()
      await testDatabase.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
