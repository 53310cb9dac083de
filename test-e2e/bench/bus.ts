import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { busTablesSql, createOutbox, inbox, OutboxRelay, rabbitmqBus } from '@kyc/bus'
import { defineEvent } from '@kyc/common'
import { openDatabase, silentLogger, startEmbeddedPostgres } from '@kyc/runtime'
import { rabbitmqIsInstalled, startRabbitmq } from '@kyc/testing'
import { connect } from 'amqplib'
import { z } from 'zod'

export const name = 'bus'

const events = 10_000
const rounds = 3
/** Events appended per transaction's worth of concurrency, as 16 request handlers would. */
const appenders = 16
const prefetch = 500
/** Unconfirmed messages the bare publisher may have; the relay's batch size. */
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

/** Events per second that bare amqplib gets confirmed by the same kind of queue, without consumer or database. */
async function bare(url: string): Promise<number> {
  const connection = await connect(url, { noDelay: true })
  const channel = await connection.createConfirmChannel()
  const queue = `bare.${randomUUID()}`
  await channel.assertExchange('bare', 'topic', { durable: true })
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } })
  await channel.bindQueue(queue, 'bare', 'session.status_changed')
  const started = performance.now()
  for (let sent = 0; sent < events; sent += window) {
    for (let index = 0; index < window; index++) {
      const content = Buffer.from(JSON.stringify(payload()))
      channel.publish('bare', 'session.status_changed', content, {
        persistent: true,
        messageId: randomUUID(),
      })
    }
    await channel.waitForConfirms()
  }
  const seconds = (performance.now() - started) / 1000
  await channel.deleteQueue(queue)
  await connection.close()
  return events / seconds
}

type Rates = {
  /** From the first transaction that appends to the last inbox row, all at once. */
  endToEnd: number
  /** A backlog that waits in the outbox, to the last inbox row. */
  backlog: number
  p50Ms: number
  p99Ms: number
}

async function ours(url: string, postgresUrl: string): Promise<Rates> {
  const schema = `bench_${randomUUID().slice(0, 8)}`
  const service = schema
  const database = await openDatabase({ url: postgresUrl, schema, poolSize: 24, logger: silentLogger })
  await database.query(busTablesSql)
  await database.query('CREATE TABLE effect (message_id text NOT NULL)')
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

  const appendAll = async () => {
    let remaining = events
    const appender = async () => {
      while (remaining-- > 0) {
        const event = payload()
        await database.transaction((tx) =>
          outbox.append(tx, statusChanged, event, { orderingKey: event.session_id }),
        )
      }
    }
    await Promise.all(Array.from({ length: appenders }, appender))
  }
  const untilHandled = async (work: () => Promise<void>): Promise<number> => {
    expected = handled + events
    const done = new Promise<void>((resolve) => {
      finish = resolve
    })
    const started = performance.now()
    await work()
    await done
    return events / ((performance.now() - started) / 1000)
  }

  await appendAll()
  const backlog = await untilHandled(() => relay.start())
  latencies.length = 0
  const endToEnd = await untilHandled(appendAll)
  latencies.sort((a, b) => a - b)
  const { rows } = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM effect')
  if (rows[0]?.count !== 2 * events) throw new Error(`${rows[0]?.count} effects of ${2 * events} events`)
  await relay.stop()
  await bus.close()
  await database.query(`DROP SCHEMA ${schema} CASCADE`)
  await database.close()
  const quantile = (q: number) => latencies[Math.floor(latencies.length * q)] ?? 0
  return { backlog, endToEnd, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
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
    const results: { bare: number; ours: Rates }[] = []
    for (let round = 0; round < rounds; round++) {
      results.push({ bare: await bare(url), ours: await ours(url, postgres.url) })
    }
    const line = ({ bare, ours }: (typeof results)[number], index: number) =>
      `| ${index + 1} | ${bare.toFixed(0)} | ${ours.backlog.toFixed(0)} (${(ours.backlog / bare).toFixed(2)}) | ` +
      `${ours.endToEnd.toFixed(0)} (${(ours.endToEnd / bare).toFixed(2)}) | ${ours.p50Ms} | ${ours.p99Ms} |`
    const ratio = median(results.map(({ bare, ours }) => ours.endToEnd / bare))
    return [
      '## bus',
      '',
      `Events per second (in brackets: of bare), ${events} events of 150 bytes a round, quorum queues on one node, PostgreSQL with every`,
      `commit flushed. Bare: amqplib, persistent, confirmed in windows of ${window}, no consumer, no database.`,
      `Ours: each event appended in its own transaction, relayed, and claimed in the inbox with one effect row.`,
      '',
      '| round | bare amqplib | a backlog in the outbox → RabbitMQ → inbox | append → outbox → RabbitMQ → inbox at once | p50 ms | p99 ms |',
      '|---|---|---|---|---|---|',
      ...results.map(line),
      '',
      `Median of the whole way against bare: ${ratio.toFixed(2)} (wanted: ${target}).`,
      '',
    ].join('\n')
  } finally {
    await postgres.stop()
    await node?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
