import type { Sql } from './sql.ts'

/** What a Prisma client and a Prisma transaction have in common. */
type PrismaQueries = {
  $queryRawUnsafe<T = unknown>(query: string, ...values: unknown[]): Promise<T>
}

/**
 * For every Prisma client. Its own limits (2 s for a connection, 5 s for a transaction, both by this process's clock) fire
 * on a machine that is merely busy; the server's, set where the pool is opened, fire first: 5 s for a lock, 20 s for a
 * statement, 30 s for a transaction that stands idle.
 */
export const prismaTransactions = { maxWait: 10_000, timeout: 40_000 }

/** Lets plain SQL (the outbox, the inbox) take part in a Prisma transaction. Values are always bound, never joined in. */
export const sqlOfPrisma = (tx: PrismaQueries): Sql => ({
  async query<Row extends object>(text: string, values: readonly unknown[] = []) {
    const rows = await tx.$queryRawUnsafe<Row[]>(text, ...values)
    return { rows, rowCount: rows.length }
  },
})
