import type { Sql } from './sql.ts'

/** What a Prisma client and a Prisma transaction have in common. */
type PrismaQueries = {
  $queryRawUnsafe<T = unknown>(query: string, ...values: unknown[]): Promise<T>
}

/** Lets plain SQL (the outbox, the inbox) take part in a Prisma transaction. Values are always bound, never joined in. */
export const sqlOfPrisma = (tx: PrismaQueries): Sql => ({
  async query<Row extends object>(text: string, values: readonly unknown[] = []) {
    const rows = await tx.$queryRawUnsafe<Row[]>(text, ...values)
    return { rows, rowCount: rows.length }
  },
})
