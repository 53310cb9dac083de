import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createOutboundClient } from '@kyc/outbound'
import { createMetrics, silentLogger } from '@kyc/runtime'
import { standardLimits } from '../src/domain/destination-health.ts'
import { Destinations } from '../src/jobs/destinations.ts'
import { OpenedSecrets } from '../src/jobs/opened-secrets.ts'
import { Sender } from '../src/jobs/sender.ts'
import { type Dispatcher, type Receiver, startDispatcher, startReceiver } from './dispatcher.ts'

let dispatcher: Dispatcher
let receiver: Receiver
beforeAll(async () => {
  dispatcher = await startDispatcher({ WEBHOOK_TIMEOUT_MS: '10000' })
  receiver = await startReceiver()
})
afterAll(async () => {
  await dispatcher.close()
  await receiver.close()
})

/** The sender of another replica, which shares only the tables. */
function replica(): Sender {
  const { clock, database, deps } = dispatcher
  const outbound = createOutboundClient({ allowPrivate: true, ownAddresses: [], logger: silentLogger })
  return new Sender({
    database,
    clock,
    logger: silentLogger,
    metrics: createMetrics('webhook-dispatcher'),
    destinations: new Destinations({ limits: standardLimits, totalConcurrency: 64, failingShare: 0.5 }),
    concurrency: 64,
    pollMs: 50,
    leaseMs: 30_000,
    attempt: {
      vault: deps.vault,
      secrets: new OpenedSecrets(deps.vault, clock),
      outbound: { test: outbound, live: outbound },
      clock,
      logger: silentLogger,
      schedule: { delaysMs: [30_000], jitterRatio: 0 },
      timeoutMs: 10_000,
      userAgent: 'kyc-webhooks/1.0',
      random: () => 0,
    },
  })
}

test('three replicas share the work: every delivery is sent, and none twice', async () => {
  const apps = await Promise.all([1, 2, 3, 4].map(() => dispatcher.app(receiver.url)))
  const others = [replica(), replica()]
  for (const other of others) other.start()
  for (let i = 0; i < 80; i++) await dispatcher.announce({ app_id: apps[i % 4]!.app_id })
  await dispatcher.drain()
  await Promise.all(others.map((other) => other.flush()))
  await Promise.all(others.map((other) => other.stop()))
  const ids = receiver.received.map((item) => item.body.delivery_id)
  expect(ids).toHaveLength(80)
  expect(new Set(ids).size).toBe(80)
  const { rows } = await dispatcher.database.query(
    'SELECT error, status, attempts, count(*)::int FROM delivery JOIN delivery_attempt ON id = delivery_id GROUP BY 1, 2, 3',
  )
  expect(rows).toEqual([{ error: null, status: 'delivered', attempts: 1, count: 80 }])
})

test('a sender that stops leaves nothing leased', async () => {
  const { app_id } = await dispatcher.app(receiver.url)
  const other = replica()
  other.start()
  let answered = 0
  receiver.answer = (_, response) => {
    setImmediate(() => {
      answered++
      response.end()
    })
  }
  for (let i = 0; i < 20; i++) await dispatcher.announce({ app_id })
  await other.stop()
  await dispatcher.service.stop()
  const { rows } = await dispatcher.database.query("SELECT 1 FROM delivery WHERE status = 'delivering'")
  expect(rows).toEqual([])
  const { rows: done } = await dispatcher.database.query(
    "SELECT 1 FROM delivery WHERE app_id = $1 AND status = 'delivered'",
    [app_id],
  )
  expect(done).toHaveLength(answered)
})
