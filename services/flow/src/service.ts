import { fileURLToPath } from 'node:url'
import { createOutbox } from '@kyc/bus'
import { composeService, type Service, type ServiceDeps, type ServiceSchema } from '@kyc/host'
import { prismaTransactions } from '@kyc/runtime'
import { PrismaPg } from '@prisma/adapter-pg'
import type { FlowConfig } from './config.ts'
import { loadPages } from './http/page.ts'
import { flowRouter } from './http/routes.ts'
import { createMailer } from './mail/mailer.ts'
import { subscribe } from './messages/subscribe.ts'
import type { Operations } from './operations/context.ts'
import { PrismaClient } from './store/generated/client.ts'

export { type FlowConfig, flowSettings } from './config.ts'

export const flowSchema: ServiceSchema = {
  schema: 'flow',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/** The hosted flow: the token-addressed API and the pages for the person. */
export async function flowService(deps: ServiceDeps, config: FlowConfig): Promise<Service> {
  const { database, clock, vault, logger, bus } = deps
  const operations: Operations = {
    clock,
    database,
    vault,
    logger,
    bus,
    prisma: new PrismaClient({
      adapter: new PrismaPg(database.pool, { schema: database.schema }),
      transactionOptions: prismaTransactions,
    }),
    outbox: createOutbox({ clock }),
    config,
    mailer: createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM }),
    flowUrl: (config.FLOW_URL ?? deps.publicUrl).replace(/\/$/, ''),
  }
  subscribe(bus, operations)
  const pages = loadPages()
  return composeService(deps, { name: 'flow', routers: [flowRouter(operations, deps, pages), pages.router] })
}
