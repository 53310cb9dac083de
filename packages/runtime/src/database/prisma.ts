import type { Sql } from './sql.ts'

/** The common part of a Prisma client and a Prisma transaction. */
type PrismaQueries = {
  $queryRawUnsafe<T = unknown>(query: string, ...values: unknown[]): Promise<T>
}

/**
 * Transaction options for every Prisma client. Prisma's own limits (2 s for a connection, 5 s for a transaction, both
 * by this process's clock) are exceeded on a machine that is merely busy. The server's limits, set where the pool is
 * opened, apply first: 5 s for a lock, 20 s for a statement, 30 s for an idle transaction.
 */
export const prismaTransactions = { maxWait: 10_000, timeout: 40_000 }

/**
 * Lets plain SQL (the outbox, the inbox) take part in a Prisma transaction. Values are always bound, never
 * concatenated.
 */
export const sqlOfPrisma = (tx: PrismaQueries): Sql => ({
  async query<Row extends object>(text: string, values: readonly unknown[] = []) {
    const rows = await tx.$queryRawUnsafe<Row[]>(text, ...values)
    return { rows, rowCount: rows.length }
  },
})
