import pg from 'pg'
import type { Logger } from '../logger.ts'
import { assertMigrated, ensureSchema, migrate } from './migrate.ts'
import type { Database, Sql } from './sql.ts'

export type DatabaseOptions = {
  url: string
  /** The service's own schema; created if it does not exist. */
  schema: string
  /** Folder of `NNNN_name/migration.sql`; absent when the schema is migrated elsewhere. */
  migrations?: string
  /** If false, a schema that is not up to date is an error instead of being migrated. */
  migrate?: boolean
  poolSize?: number
  logger: Logger
}

/** Adds the pool, for a Prisma adapter; everything else uses {@link Database}. */
export type PooledDatabase = Database & { readonly pool: pg.Pool }

const identifier = /^[a-z][a-z0-9_]{0,62}$/

/** Migrates and opens the schema of one service. */
export async function openDatabase(options: DatabaseOptions): Promise<PooledDatabase> {
  const { schema, logger } = options
  if (!identifier.test(schema)) throw new Error(`not a schema name: ${schema}`)
  const { url, migrations: folder } = options
  if (folder && options.migrate === false) await assertMigrated({ url, schema, folder })
  else if (folder) await migrate({ url, schema, folder, logger })
  else await createSchema(url, schema)
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    // Inner timeouts expire before those of callers (30 s), so that a lock or a slow query ends as an error and does
    // not hang.
    options: `-c search_path=${schema} -c lock_timeout=5000 -c statement_timeout=20000 -c idle_in_transaction_session_timeout=30000`,
    connectionTimeoutMillis: 10_000,
    application_name: schema,
    keepAlive: true,
  })
  // An idle connection that the server closes must not end the process; the pool replaces it.
  pool.on('error', (error) => logger.warn('a database connection was lost', { error }))
  // Nor must a connection that is lost between two statements of a transaction: the next statement fails, and with it
  // the transaction.
  pool.on('connect', (client) => client.on('error', () => undefined))

  const listeners = new Set<() => Promise<void>>()
  return {
    pool,
    schema,
    query: (text, values, name) => run(pool, text, values, name),
    transaction: (work) => transaction(pool, work),
    listen: async (channel, onNotify) => {
      const stop = await listen(options, channel, onNotify)
      listeners.add(stop)
      return async () => {
        listeners.delete(stop)
        await stop()
      }
    },
    close: async () => {
      await Promise.all([...listeners].map((stop) => stop()))
      await pool.end()
    },
  }
}

async function createSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await ensureSchema(client, schema)
  } finally {
    await client.end()
  }
}

async function run<Row extends object>(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<{ rows: Row[]; rowCount: number }> {
  const result = await client.query<Row & pg.QueryResultRow>({ text, values: values as unknown[], name })
  return { rows: result.rows, rowCount: result.rowCount ?? 0 }
}

async function transaction<T>(pool: pg.Pool, work: (tx: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work({ query: (text, values, name) => run(client, text, values, name) })
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Listens on a dedicated connection and reconnects when it is lost. */
async function listen(
  options: DatabaseOptions,
  channel: string,
  onNotify: (payload: string) => void,
): Promise<() => Promise<void>> {
  if (!identifier.test(channel)) throw new Error(`not a channel name: ${channel}`)
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: `${options.schema}:listen`,
      keepAlive: true,
    })
    next.on('notification', (message) => onNotify(message.payload ?? ''))
    next.on('error', () => reconnect(next))
    next.on('end', () => reconnect(next))
    await next.connect()
    await next.query(`LISTEN ${channel}`)
    client = next
  }
  const reconnect = (lost: pg.Client) => {
    if (stopped || retry || (client && client !== lost)) return
    client = undefined
    retry = setTimeout(() => {
      retry = undefined
      // Notifications in the meantime are lost, so one empty notification makes the listener check.
      connect().then(
        () => onNotify(''),
        () => reconnect(lost),
      )
    }, 1_000)
  }

  await connect()
  return async () => {
    stopped = true
    if (retry) clearTimeout(retry)
    await client?.end()
  }
}
