import { type PooledDatabase, prismaTransactions } from '@kyc/runtime'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './generated/client.ts'

export type Prisma = PrismaClient

/** Ordinary queries; the sender's own are typed SQL, since they lease with SKIP LOCKED and are hot. */
export const createPrisma = (database: PooledDatabase): Prisma =>
  new PrismaClient({
    adapter: new PrismaPg(database.pool, { schema: database.schema }),
    transactionOptions: prismaTransactions,
  })
