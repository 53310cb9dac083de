/** What a query needs: the pool, a transaction, or a Prisma transaction all are one. */
export type Sql = {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    /** Names a statement that a hot path repeats: each connection parses and plans it once. */
    name?: string,
  ): Promise<{ rows: Row[]; rowCount: number }>
}

/** One service's schema in Postgres. */
export type Database = Sql & {
  readonly schema: string
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /** Calls `onNotify` for each NOTIFY on `channel`; survives reconnects. Resolves to a function that stops it. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
