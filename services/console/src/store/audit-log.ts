import type { Sql } from '@kyc/runtime'
import { type AuditEntry, chainStart, hashEntry } from '../domain/audit-chain.ts'

/** Advisory lock that permits one writer at a time, so that the chain has no fork. */
const chainLock = 7_413_046_219

/** Appends within the caller's transaction, which holds the lock until it ends. */
export async function appendAudit(
  sql: Sql,
  entry: Omit<AuditEntry, 'seq' | 'prev_hash' | 'hash'>,
): Promise<AuditEntry> {
  await sql.query('SELECT pg_advisory_xact_lock($1)', [chainLock])
  const { rows } = await sql.query<{ seq: string; hash: string }>(
    'SELECT seq, hash FROM audit_entry ORDER BY seq DESC LIMIT 1',
  )
  const whole = { ...entry, seq: Number(rows[0]?.seq ?? 0) + 1, prev_hash: rows[0]?.hash ?? chainStart }
  const hash = hashEntry(whole)
  await sql.query(
    `INSERT INTO audit_entry (seq, id, app_id, at, actor, action, target, details, prev_hash, hash, ip)
     VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, $8::jsonb, $9, $10, $11)`,
    [
      whole.seq,
      whole.id,
      whole.app_id,
      whole.at,
      JSON.stringify(whole.actor),
      whole.action,
      whole.target,
      JSON.stringify(whole.details),
      whole.prev_hash,
      hash,
      whole.ip,
    ],
  )
  return { ...whole, hash }
}

const columns = 'seq, id, app_id, at, actor, action, target, ip, details, prev_hash, hash'
type Row = Omit<AuditEntry, 'seq'> & { seq: string }
const fromRow = (row: Row): AuditEntry => ({ ...row, seq: Number(row.seq) })

export type AuditFilter = {
  /** The apps that the reader may see; null: everything, including entries without an app. */
  visible: readonly string[] | null
  app_id?: string | undefined
  action?: string | undefined
  actor_type?: string | undefined
  actor_id?: string | undefined
  target?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A page of matching entries, newest first before a `seq` or oldest first after a `seq`. */
export async function findAudit(
  sql: Sql,
  filter: AuditFilter,
  page: { before: number } | { after: number },
  limit: number,
): Promise<AuditEntry[]> {
  const conditions: string[] = []
  const values: unknown[] = []
  const where = (condition: string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition.replace('?', `$${values.length}`))
  }
  where('app_id = ANY (?::text[])', filter.visible ?? undefined)
  where('app_id = ?', filter.app_id)
  where('action = ?', filter.action)
  where("actor ->> 'type' = ?", filter.actor_type)
  where("actor ->> 'id' = ?", filter.actor_id)
  where('target = ?', filter.target)
  where('at >= ?', filter.from)
  where('at < ?', filter.to)
  const back = 'before' in page
  where(back ? 'seq < ?' : 'seq > ?', back ? page.before : page.after)
  values.push(limit)
  const { rows } = await sql.query<Row>(
    `SELECT ${columns} FROM audit_entry WHERE ${conditions.join(' AND ')}
     ORDER BY seq ${back ? 'DESC' : 'ASC'} LIMIT $${values.length}`,
    values,
  )
  return rows.map(fromRow)
}

/** Entries are numbered from 1, but an attacker with write access may insert others below. */
export const beforeFirst = Number.MIN_SAFE_INTEGER

export async function readAudit(sql: Sql, after: number, limit: number): Promise<AuditEntry[]> {
  const { rows } = await sql.query<Row>(
    `SELECT ${columns} FROM audit_entry WHERE seq > $1 ORDER BY seq LIMIT $2`,
    [after, limit],
  )
  return rows.map(fromRow)
}

/** The `seq` of the newest entry; 0 if there is none. */
export async function lastSeq(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ seq: string }>('SELECT seq FROM audit_entry ORDER BY seq DESC LIMIT 1')
  return Number(rows[0]?.seq ?? 0)
}
