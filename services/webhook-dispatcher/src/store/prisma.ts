import { type PooledDatabase, prismaTransactions } from '@kyc/runtime'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './generated/client.ts'

export type Prisma = PrismaClient

/** For ordinary queries. The sender uses typed SQL, because it leases with SKIP LOCKED and is a hot path. */
export const createPrisma = (database: PooledDatabase): Prisma =>
  new PrismaClient({
    adapter: new PrismaPg(database.pool, { schema: database.schema }),
    transactionOptions: prismaTransactions,
  })
