import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutbox } from '@kyc/bus'
import { sessionStatusChanged, setWebhookUrl } from '@kyc/common'
import { newId, silentLogger, startEmbeddedPostgres } from '@kyc/runtime'
import {
  dispatcherSettings,
  webhookDispatcherSchema,
  webhookDispatcherService,
} from '@kyc/service-webhook-dispatcher'
import { type ServiceHarness, startService } from '@kyc/testing'
import got from 'got'
import {
  type BenchApp,
  cpuPer,
  createApp,
  decisionOf,
  delay,
  fill,
  megabytes,
  pendingOf,
  percentile,
  provision,
  type Receiver,
  RunningClock,
  startReceiver,
  timeToEmpty,
} from './support/webhook-bench.ts'

export const name = 'webhooks'

const concurrency = 32
const apps = 10

async function barePosts(url: string, seconds: number): Promise<number> {
  const body = JSON.stringify({
    event: 'session.status_updated',
    data: { decision: decisionOf(newId('session')) },
  })
  const end = performance.now() + seconds * 1000
  let count = 0
  const loop = async () => {
    while (performance.now() < end) {
      await got.post(url, { body, headers: { 'content-type': 'application/json' }, retry: { limit: 0 } })
      count++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return count / seconds
}

/** Seconds until all of them are delivered, from the moment they become due. */
async function deliverAll(harness: ServiceHarness, all: BenchApp[], awaited = all): Promise<number> {
  const due = new Date(Date.now() + 2_000)
  for (const app of all) await fill(harness, app, due)
  await delay(Math.max(0, due.getTime() - Date.now()))
  return timeToEmpty(
    harness,
    awaited.map((app) => app.app_id),
  )
}

/** From the commit of a transition, through outbox, bus and inbox, to the receiver's socket. */
async function latency(harness: ServiceHarness, receiver: Receiver, perSecond: number, seconds: number) {
  const outbox = createOutbox()
  const app_id = await provision(harness, receiver.url)
  const committed = new Map<string, number>()
  for (let i = 0; i < perSecond * seconds; i++) {
    const next = delay(1000 / perSecond)
    const session_id = newId('session')
    await harness.database.transaction((tx) =>
      outbox.append(
        tx,
        sessionStatusChanged,
        {
          app_id,
          session_id,
          sequence: 1,
          status: 'in_progress',
          previous_status: 'not_started',
          decision_reason: null,
          vendor_data: null,
          workflow_id: newId('workflow'),
          sealed_decision: null,
          occurred_at: '2026-03-01T12:00:00Z',
        },
        { orderingKey: session_id },
      ),
    )
    committed.set(session_id, performance.timeOrigin + performance.now())
    await next
  }
  await delay(1_000)
  const { arrivals } = await receiver.report()
  const waits = arrivals.flatMap(([session, at]) =>
    committed.has(session) ? [at - committed.get(session)!] : [],
  )
  waits.sort((a, b) => a - b)
  return {
    sent: committed.size,
    arrived: waits.length,
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
  }
}

async function heldPending(harness: ServiceHarness, receiver: Receiver) {
  const waiting = await provision(harness, `${receiver.url}/hang`)
  const memory = () => {
    globalThis.gc?.()
    return process.memoryUsage()
  }
  await delay(500)
  const before = memory()
  await harness.database.query(
    `INSERT INTO delivery (id, app_id, session_id, event, data, created_at, status, next_attempt_at)
     SELECT 'whd_' || lpad(i::text, 24, '0'), $1, NULL, 'ping',
            json_build_object('app_id', $1::text, 'environment', 'test', 'message', 'x'), now(), 'pending', now()
     FROM generate_series(1, 100000) AS i`,
    [waiting],
  )
  const meanwhile = await latency(harness, receiver, 50, 8)
  const after = memory()
  const held = await pendingOf(harness, [waiting])
  await harness.database.query('DELETE FROM delivery WHERE app_id = $1', [waiting])
  return { held, before, after, meanwhile }
}

export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-bench-'))
  await chmod(folder, 0o755)
  // Durable, as in production, because the suites' own server does not sync to disk.
  const server = await startEmbeddedPostgres({ folder, logger: silentLogger })
  process.env.KYC_TEST_DATABASE_URL = server.url
  const receiver = await startReceiver()
  const settings = dispatcherSettings.parse({
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_CONCURRENCY: String(concurrency),
  })
  const harness = await startService(
    'webhook-dispatcher',
    webhookDispatcherSchema,
    (deps) => webhookDispatcherService(deps, settings),
    { clock: new RunningClock() },
  )
  try {
    const appList: BenchApp[] = []
    for (let i = 0; i < apps; i++) appList.push(await createApp(harness, receiver.url))
    const living = appList.slice(1)
    await barePosts(receiver.url, 1)
    await deliverAll(harness, appList)
    const rounds = []
    for (let i = 0; i < 3; i++) {
      const bare = await cpuPer(
        (rate) => rate * 3,
        () => barePosts(receiver.url, 3),
      )
      const ours = await cpuPer(
        () => apps * 300,
        () => deliverAll(harness, appList),
      )
      const rate = (apps * 300) / ours.result
      rounds.push({ bare: bare.result, ours: rate, ratio: rate / bare.result, cpu: [bare.cpuMs, ours.cpuMs] })
    }
    rounds.sort((a, b) => a.ratio - b.ratio)
    const { bare, ours, ratio, cpu } = rounds[1]!
    const quiet = await latency(harness, receiver, 50, 10)
    const allLiving = Math.min(
      ...[await deliverAll(harness, appList, living), await deliverAll(harness, appList, living)],
    )
    const { app_id } = appList[0]!
    await harness.bus.request(setWebhookUrl, { app_id, url: `${receiver.url}/hang` })
    const oneDead = Math.min(
      ...[await deliverAll(harness, appList, living), await deliverAll(harness, appList, living)],
    )
    const held = await heldPending(harness, receiver)
    const { rows: failures } = await harness.database.query<{ error: string; count: number }>(
      `SELECT coalesce(error, status_code::text) AS error, count(*)::int AS count FROM delivery_attempt
       WHERE status_code IS DISTINCT FROM 204 GROUP BY 1`,
    )
    return [
      '## webhooks',
      '',
      `Local receiver in its own process, ${apps} apps, ${concurrency} attempts at once, PostgreSQL with fsync on; a third of the deliveries carry a sealed decision. Median of three rounds.`,
      '',
      '| | figure |',
      '|---|---|',
      `| bare \`got.post\` loop, deliveries/s | ${bare.toFixed(0)} |`,
      `| webhook-dispatcher, deliveries/s, lease and outcome persisted | ${ours.toFixed(0)} |`,
      `| ratio (reach 0.5) | ${ratio.toFixed(2)} (${rounds.map((round) => round.ratio.toFixed(2)).join(', ')}) |`,
      `| CPU of the sending process per delivery, bare and ours | ${cpu.map((ms) => ms.toFixed(2)).join(' ms, ')} ms |`,
      `| commit of the transition to receiver's socket at 50/s, ${quiet.arrived} of ${quiet.sent} | p50 ${quiet.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} ms (under 100) |`,
      `| nine receivers' 2,700 deliveries, all ten living | ${allLiving.toFixed(2)} s |`,
      `| the same, the tenth hangs | ${oneDead.toFixed(2)} s, ${((oneDead / allLiving - 1) * 100).toFixed(0)} % more (under 10) |`,
      `| ${held.held.toLocaleString('en')} pending for a receiver that hangs: heap before and after | ${megabytes(held.before.heapUsed)}, ${megabytes(held.after.heapUsed)}; resident ${megabytes(held.before.rss)}, ${megabytes(held.after.rss)} |`,
      `| another app meanwhile at 50/s, ${held.meanwhile.arrived} of ${held.meanwhile.sent} | p50 ${held.meanwhile.p50.toFixed(1)} ms, p99 ${held.meanwhile.p99.toFixed(1)} ms |`,
      `| attempts that failed, all of them to the receiver that hangs | ${failures.map((row) => `${row.count}: ${row.error}`).join(', ') || 'none'} |`,
    ].join('\n')
  } finally {
    receiver.stop()
    await harness.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
