import { fileURLToPath } from 'node:url'
import { createOutbox } from '@kyc/bus'
import { composeService, periodicJob, type Service, type ServiceDeps, type ServiceSchema } from '@kyc/host'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SessionConfig } from './config.ts'
import { sessionRouter } from './http/routes.ts'
import { subscribe } from './messages/subscribe.ts'
import type { Operations } from './operations/context.ts'
import { runClock } from './operations/run-clock.ts'
import { PrismaClient } from './store/generated/client.ts'

export { type SessionConfig, sessionSettings } from './config.ts'

export const sessionSchema: ServiceSchema = {
  schema: 'session',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/** Sessions, workflows, decisions, purge and retention: the owner of the state machine. */
export async function sessionService(deps: ServiceDeps, config: SessionConfig): Promise<Service> {
  const { database, clock, vault, logger, bus } = deps
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, { schema: database.schema }) })
  const operations: Operations = {
    clock,
    database,
    vault,
    logger,
    prisma,
    outbox: createOutbox({ clock }),
    config,
    flowUrl: (config.FLOW_URL ?? deps.publicUrl).replace(/\/$/, ''),
  }
  subscribe(bus, operations)
  return composeService(deps, {
    name: 'session',
    routers: [sessionRouter(operations, deps)],
    jobs: [
      periodicJob({
        name: 'clock',
        everyMs: config.CLOCK_SECONDS * 1000,
        work: () => runClock(operations),
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
