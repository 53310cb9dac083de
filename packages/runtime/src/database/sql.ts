/** Executes queries: the pool, a transaction and a Prisma transaction all implement it. */
export type Sql = {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    /** Names a prepared statement for a hot path: each connection parses and plans it once. */
    name?: string,
  ): Promise<{ rows: Row[]; rowCount: number }>
}

/** One service's schema in Postgres. */
export type Database = Sql & {
  readonly schema: string
  /** Runs `work` in one transaction, which commits when it returns and rolls back when it throws. */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /**
   * Calls `onNotify` for each NOTIFY on `channel`, also after reconnects. Resolves to a function that stops listening.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
