import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals'
import { describeConsuming } from './suite/consuming.ts'
import { describeDeadLetters } from './suite/dead-letters.ts'
import { describeDelivery } from './suite/delivery.ts'
import { describeRequests } from './suite/requests.ts'
import { describeRetries } from './suite/retries.ts'
import { describeStopping } from './suite/stopping.ts'
import { type Postgres, startPostgres, type Transport, World } from './world.ts'

/** The world of the current test. */
export type Current = { world: World }

/** The guarantees of both transports. `start` creates the transport once for the whole suite. */
export function describeContract(start: (postgres: Postgres) => Promise<Transport>): Current {
  const current = {} as Current
  let postgres: Postgres
  let transport: Transport

  beforeAll(async () => {
    postgres = await startPostgres()
    transport = await start(postgres)
  }, 120_000)
  beforeEach(async () => {
    current.world = await World.create(transport, postgres)
  })
  afterEach(async () => {
    await current.world.close()
  })
  afterAll(async () => {
    await transport?.close()
    await postgres?.stop()
  }, 60_000)

  describe('delivery', () => describeDelivery(current))
  describe('consuming', () => describeConsuming(current))
  describe('retries', () => describeRetries(current))
  describe('dead letters', () => describeDeadLetters(current))
  describe('requests', () => describeRequests(current))
  describe('stopping', () => describeStopping(current))
  return current
}
