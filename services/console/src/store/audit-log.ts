import type { Sql } from '@kyc/runtime'
import { type AuditEntry, chainStart, hashEntry } from '../domain/audit-chain.ts'

/** One writer at a time, so that the chain has no fork. */
const chainLock = 7_413_046_219

/** Appends within the caller's transaction; the lock is held until it ends. */
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
    `INSERT INTO audit_entry (seq, id, app_id, at, actor, action, target, details, prev_hash, hash)
     VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, $8::jsonb, $9, $10)`,
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
    ],
  )
  return { ...whole, hash }
}

export async function readAudit(sql: Sql, after: number, limit: number): Promise<AuditEntry[]> {
  const { rows } = await sql.query<Omit<AuditEntry, 'seq'> & { seq: string }>(
    'SELECT * FROM audit_entry WHERE seq > $1 ORDER BY seq LIMIT $2',
    [after, limit],
  )
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}
