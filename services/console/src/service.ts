import { fileURLToPath } from 'node:url'
import { createOutbox } from '@kyc/bus'
import { composeService, type Service, type ServiceDeps, type ServiceSchema } from '@kyc/host'
import { PrismaPg } from '@prisma/adapter-pg'
import { subscribe } from './messages/subscribe.ts'
import { PrismaClient } from './store/generated/client.ts'

export const consoleSchema: ServiceSchema = {
  schema: 'console',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/** Apps, console users and the audit log. */
export async function consoleService(deps: ServiceDeps): Promise<Service> {
  const { database, clock, bus } = deps
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, { schema: database.schema }) })
  subscribe({ database, prisma, bus, clock, outbox: createOutbox({ clock }) })
  return composeService(deps, { name: 'console', routers: [] })
}
