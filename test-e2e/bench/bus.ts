import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { busTablesSql, createOutbox, inbox, OutboxRelay, rabbitmqBus } from '@kyc/bus'
import { defineEvent } from '@kyc/common'
import { openDatabase, type Sql, silentLogger, startEmbeddedPostgres } from '@kyc/runtime'
import { rabbitmqIsInstalled, startRabbitmq } from '@kyc/testing'
import { connect } from 'amqplib'
import { z } from 'zod'

export const name = 'bus'

const backlogEvents = 10_000
const liveEvents = 3_000
/** Not measured: warms up connections, caches and compiled code on both sides. */
const warmUpEvents = 2_000
const rounds = 3
/** Concurrent transactions, as with that many request handlers. */
const appenders = 16
const prefetch = 500
/** Unconfirmed messages that the bare publisher may have: the relay's batch size. */
const window = 500
const target = 0.4

const statusChanged = defineEvent(
  'session.status_changed',
  1,
  z.object({ session_id: z.string(), app_id: z.string(), from: z.string(), to: z.string(), at: z.string() }),
)
const payload = () => ({
  session_id: `ses_${randomUUID()}`,
  app_id: 'app_bench',
  from: 'processing',
  to: 'approved',
  at: '2026-03-01T12:00:00Z',
})

const perSecond = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return count / ((performance.now() - started) / 1000)
}

const together = (count: number, work: () => Promise<unknown>): Promise<unknown> => {
  let remaining = count
  const one = async () => {
    while (remaining-- > 0) await work()
  }
  return Promise.all(Array.from({ length: appenders }, one))
}

/** Messages that bare amqplib gets confirmed by the same kind of queue, without consumer or database. */
async function bare(url: string): Promise<{ windowed: number; awaited: number }> {
  const connection = await connect(url, { noDelay: true })
  const channel = await connection.createConfirmChannel()
  const queue = `bare.${randomUUID()}`
  await channel.assertExchange('bare', 'topic', { durable: true })
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } })
  await channel.bindQueue(queue, 'bare', queue)
  const publish = (onConfirm?: (error: unknown) => void) => {
    const options = { persistent: true, messageId: randomUUID() }
    channel.publish('bare', queue, Buffer.from(JSON.stringify(payload())), options, onConfirm)
  }
  const publishAll = async (count: number) => {
    for (let sent = 0; sent < count; sent += window) {
      for (let index = 0; index < window; index++) publish()
      await channel.waitForConfirms()
    }
  }
  await publishAll(warmUpEvents)
  const windowed = await perSecond(backlogEvents, () => publishAll(backlogEvents))
  const confirmed = () =>
    new Promise<void>((resolve, reject) => publish((error) => (error ? reject(error) : resolve())))
  const awaited = await perSecond(liveEvents, () => together(liveEvents, confirmed))
  await channel.deleteQueue(queue)
  await connection.close()
  return { windowed, awaited }
}

type Rates = { backlog: number; live: number; inserts: number; p50Ms: number; p99Ms: number }

async function ours(url: string, postgresUrl: string): Promise<Rates> {
  const schema = `bench_${randomUUID().slice(0, 8)}`
  const service = schema
  const database = await openDatabase({ url: postgresUrl, schema, poolSize: 24, logger: silentLogger })
  await database.query(busTablesSql)
  await database.query('CREATE TABLE effect (message_id text NOT NULL)')
  await database.query('CREATE TABLE plain (id uuid PRIMARY KEY, payload json NOT NULL)')
  const outbox = createOutbox()
  const bus = rabbitmqBus({ url, service, logger: silentLogger })
  const latencies: number[] = []
  let [handled, expected] = [0, 0]
  let finish = () => {}
  bus.subscribe(statusChanged, {
    service,
    prefetch,
    async handleBatch(messages) {
      await database.transaction(async (tx) => {
        const ids = messages.map(({ id }) => id)
        const fresh = await inbox.claimAll(tx, service, ids)
        await tx.query('INSERT INTO effect SELECT unnest($1::text[])', [[...fresh]])
      })
      for (const { occurredAt } of messages) latencies.push(Date.now() - occurredAt.getTime())
      handled += messages.length
      if (handled === expected) finish()
    },
  })
  await bus.start()
  const relay = new OutboxRelay({ database, bus, logger: silentLogger })
  const append = (tx: Sql) => {
    const event = payload()
    return outbox.append(tx, statusChanged, event, { orderingKey: event.session_id })
  }
  const untilHandled = (count: number, work: () => Promise<unknown>) => {
    expected = handled + count
    const done = new Promise<void>((resolve) => {
      finish = resolve
    })
    return perSecond(count, async () => {
      await work()
      await done
    })
  }

  const appendAll = (count: number) =>
    database.transaction(async (tx) => {
      for (let index = 0; index < count; index++) await append(tx)
    })
  await appendAll(warmUpEvents)
  await untilHandled(warmUpEvents, () => relay.flush())
  await appendAll(backlogEvents)
  const backlog = await untilHandled(backlogEvents, () => relay.start())
  const insert = 'INSERT INTO plain (id, payload) VALUES ($1, $2)'
  const inserts = await perSecond(liveEvents, () =>
    together(liveEvents, () =>
      database.transaction((tx) => tx.query(insert, [randomUUID(), JSON.stringify(payload())])),
    ),
  )
  latencies.length = 0
  const live = await untilHandled(liveEvents, () => together(liveEvents, () => database.transaction(append)))
  latencies.sort((a, b) => a - b)

  const { rows } = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM effect')
  const effects = rows[0]?.count
  if (effects !== warmUpEvents + backlogEvents + liveEvents)
    throw new Error(`${effects} effects of ${handled} events`)
  await relay.stop()
  await bus.close()
  await database.query(`DROP SCHEMA ${schema} CASCADE`)
  await database.close()
  const quantile = (q: number) => latencies[Math.floor(latencies.length * q)] ?? 0
  return { backlog, live, inserts, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export async function run(): Promise<string> {
  const broker = process.env.RABBITMQ_URL
  if (!broker && !rabbitmqIsInstalled()) {
    return '## bus\n\nSkipped: neither RABBITMQ_URL nor an installed rabbitmq-server.\n'
  }
  const node = broker ? undefined : await startRabbitmq()
  const folder = await mkdtemp(join(tmpdir(), 'kyc-bench-'))
  await chmod(folder, 0o755)
  // The server's own defaults: every commit is flushed.
  const postgres = await startEmbeddedPostgres({ folder, logger: silentLogger })
  try {
    const url = broker ?? node?.url ?? ''
    const results: { bare: Awaited<ReturnType<typeof bare>>; ours: Rates }[] = []
    for (let round = 0; round < rounds; round++) {
      results.push({ bare: await bare(url), ours: await ours(url, postgres.url) })
    }
    const ratio = (a: number, b: number) => (a / b).toFixed(2)
    const line = ({ bare, ours }: (typeof results)[number]) =>
      [
        '',
        bare.windowed.toFixed(0),
        bare.awaited.toFixed(0),
        `**${ours.backlog.toFixed(0)}**`,
        ratio(ours.backlog, bare.windowed),
        ratio(ours.backlog, bare.awaited),
        ours.inserts.toFixed(0),
        `${ours.live.toFixed(0)} (${ratio(ours.live, ours.inserts)})`,
        `${ours.p50Ms} / ${ours.p99Ms}`,
        '',
      ].join(' | ')
    const reached = median(results.map(({ bare, ours }) => ours.backlog / bare.windowed))
    return [
      '## bus',
      '',
      `Events per second, 150 bytes each, quorum queues on one node, PostgreSQL with every effect's commit flushed; load average ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`,
      `Bare: amqplib, persistent, confirmed, no consumer, no database: in windows of ${window}, and ${appenders} publishers that each await their confirm.`,
      `Bus: ${backlogEvents} rows in the outbox, published with confirms, consumed, claimed in the inbox with one effect row each.`,
      `Live: ${appenders} clients, one transaction an event, everything at once; beside it plain inserts of the same size in transactions.`,
      '',
      '| bare, windows | bare, awaited | bus | of windows | of awaited | plain inserts | live (of inserts) | live p50 / p99 ms |',
      '|---|---|---|---|---|---|---|---|',
      ...results.map((result) => line(result).trim()),
      '',
      `Median of the bus against bare windows: ${reached.toFixed(2)} (wanted: ${target}).`,
      '',
    ].join('\n')
  } finally {
    await postgres.stop()
    await node?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
