import { OutboxRelay } from '@kyc/bus'
import type { ServiceName } from '@kyc/common'
import { type Replies, serviceApp } from '@kyc/http'
import { type ReadinessProbe, readiness } from '@kyc/runtime'
import type { Router } from 'express'
import type { Service, ServiceDeps } from './service.ts'

/** Work that a service does by itself, such as a scheduler or a sender. */
export type Job = { name: string; start(): Promise<void> | void; stop(): Promise<void> | void }

/** Composes a service from its application with health and readiness, its outbox relay and its jobs. */
export function composeService(
  deps: ServiceDeps,
  parts: {
    name: ServiceName
    routers: readonly Router[]
    jobs?: readonly Job[]
    probes?: readonly ReadinessProbe[]
    /** Responses stored under an Idempotency-Key. They are deleted after a day. */
    replies?: Replies
    /** False for a service without an outbox. */
    outbox?: boolean
  },
): Service {
  const { logger, metrics, database, bus, clock } = deps
  const jobs = [...(parts.jobs ?? [])]
  if (parts.replies) jobs.push(pruneJob(parts.replies, deps))
  if (parts.outbox !== false) jobs.push(outboxJob(deps))
  const probes: ReadinessProbe[] = [
    {
      name: 'database',
      check: async () => {
        await database.query('SELECT 1')
      },
    },
    {
      name: 'bus',
      check: async () => {
        if (!bus.health().connected) throw new Error('not connected')
      },
    },
    ...(parts.probes ?? []),
  ]
  metrics
    .gauge('process_start_time_of_service_seconds', 'When the service was put together')
    .set(clock.now().getTime() / 1000)
  const { pool } = database
  const connections = metrics.gauge(
    'database_connections',
    'Connections of the pool, by what they do; waiting: requests for one',
    ['state'],
    () => {
      connections.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      connections.set({ state: 'idle' }, pool.idleCount)
      connections.set({ state: 'waiting' }, pool.waitingCount)
    },
  )
  return {
    name: parts.name,
    app: serviceApp({ service: parts.name, logger, metrics, probes, routers: parts.routers }),
    ready: () => readiness(probes),
    async start() {
      for (const job of jobs) await job.start()
    },
    async stop() {
      for (const job of [...jobs].reverse()) await job.stop()
    },
  }
}

const pruneEveryMs = 600_000

function pruneJob(replies: Replies, { logger }: ServiceDeps): Job {
  return periodicJob({
    name: 'idempotent replies',
    everyMs: pruneEveryMs,
    work: async () => void (await replies.prune()),
    logger,
  })
}

function outboxJob({ database, bus, logger, clock, metrics }: ServiceDeps): Job {
  const pending = metrics.gauge('outbox_pending', 'Events committed and not yet published')
  const age = metrics.gauge('outbox_oldest_age_seconds', 'Age of the oldest of them')
  const relay = new OutboxRelay({
    database,
    bus,
    logger,
    clock,
    onLag: (lag) => {
      pending.set(lag.pending)
      age.set(lag.oldestAgeSeconds)
    },
  })
  return { name: 'outbox relay', start: () => relay.start(), stop: () => relay.stop() }
}

/** A job that runs `work` every `everyMs`, without overlaps. A failure is logged, and the next run takes place. */
export function periodicJob(options: {
  name: string
  everyMs: number
  work: () => Promise<void>
  logger: ServiceDeps['logger']
}): Job {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopped = false
  const round = () => {
    running = options
      .work()
      .catch((error: unknown) => options.logger.error('a periodic job failed', { job: options.name, error }))
      .finally(() => {
        running = undefined
        if (!stopped) timer = setTimeout(round, options.everyMs)
      })
  }
  return {
    name: options.name,
    start: () => {
      timer = setTimeout(round, options.everyMs)
    },
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
