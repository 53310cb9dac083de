import { fileURLToPath } from 'node:url'
import { createOutbox } from '@kyc/bus'
import {
  composeService,
  type Job,
  periodicJob,
  type Service,
  type ServiceDeps,
  type ServiceSchema,
} from '@kyc/host'
import { createReplies } from '@kyc/http'
import { prismaTransactions } from '@kyc/runtime'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SessionConfig } from './config.ts'
import { sessionRouter } from './http/routes.ts'
import { answerConsole } from './messages/answer-console.ts'
import { subscribe } from './messages/subscribe.ts'
import type { Operations } from './operations/context.ts'
import { measuresOf } from './operations/measures.ts'
import { countAnalytics } from './operations/present-analytics.ts'
import { replayLedger } from './operations/replay-ledger.ts'
import { runClock } from './operations/run-clock.ts'
import { runPurges } from './operations/run-purges.ts'
import { PrismaClient } from './store/generated/client.ts'
import { createSessionWriter } from './store/session-writer.ts'

export { type SessionConfig, sessionSettings } from './config.ts'
export { purgeSession } from './operations/purge-session.ts'
export { type Difference, type ReplayedDecisions, replayDecisions } from './operations/replay-decisions.ts'
export { type ReplayedLedger, replayLedger } from './operations/replay-ledger.ts'

export const sessionSchema: ServiceSchema = {
  schema: 'session',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/** Builds the dependencies of the operations from those of the process. */
export function operationsOf(deps: ServiceDeps, config: SessionConfig): Operations {
  const { database, clock, vault, logger, bus, metrics } = deps
  const prisma = new PrismaClient({
    adapter: new PrismaPg(database.pool, { schema: database.schema }),
    transactionOptions: prismaTransactions,
  })
  return {
    clock,
    database,
    vault,
    logger,
    bus,
    prisma,
    outbox: createOutbox({ clock }),
    insertSession: createSessionWriter(database),
    config,
    measures: measuresOf(metrics),
    flowUrl: (config.FLOW_URL ?? deps.publicUrl).replace(/\/$/, ''),
  }
}

const analyticsEveryMs = 5_000

/** Sessions, workflows, decisions, purge and retention. Owns the state machine. */
export async function sessionService(deps: ServiceDeps, config: SessionConfig): Promise<Service> {
  const { vault, logger, bus } = deps
  const operations = operationsOf(deps, config)
  subscribe(bus, operations)
  answerConsole(bus, operations)
  const replies = createReplies(deps)
  return composeService(deps, {
    name: 'session',
    replies,
    routers: [sessionRouter(operations, { ...deps, replies })],
    jobs: [
      periodicJob({
        name: 'clock',
        everyMs: config.CLOCK_SECONDS * 1000,
        work: () => runClock(operations),
        logger,
      }),
      { name: 'purge ledger', start: async () => void (await replayLedger(operations)), stop: () => {} },
      purgeJob(operations, deps),
      periodicJob({
        name: 'analytics',
        everyMs: analyticsEveryMs,
        work: () => countAnalytics(operations),
        logger,
      }),
      periodicJob({
        name: 'vault orphans',
        everyMs: 3_600_000,
        work: async () => {
          const collected = await vault.collectOrphans()
          if (collected > 0) logger.info('unfinished files were removed from the vault', { collected })
        },
        logger,
      }),
    ],
  })
}

/** Drives purges to their certificate, and exports open purges as two gauges for alerting. */
function purgeJob(operations: Operations, { metrics, logger }: ServiceDeps): Job {
  const open = metrics.gauge('purges_unconfirmed', 'Purged sessions without a certificate yet')
  const age = metrics.gauge('purges_unconfirmed_oldest_age_seconds', 'Age of the oldest of them')
  return periodicJob({
    name: 'purges',
    everyMs: operations.config.CLOCK_SECONDS * 1000,
    work: async () => {
      const { count, oldestAgeSeconds } = await runPurges(operations)
      open.set(count)
      age.set(oldestAgeSeconds)
    },
    logger,
  })
}
