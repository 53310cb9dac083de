import type { Sql } from '@kyc/runtime'

export async function insertReceipt(
  sql: Sql,
  receipt: { session_id: string; sequence: number; sealed: Buffer },
): Promise<void> {
  await sql.query('INSERT INTO receipt (session_id, sequence, sealed) VALUES ($1, $2, $3)', [
    receipt.session_id,
    receipt.sequence,
    receipt.sealed,
  ])
}

/** The sealed receipt of the latest decision. */
export async function findReceipt(sql: Sql, sessionId: string): Promise<Buffer | null> {
  const { rows } = await sql.query<{ sealed: Buffer }>(
    'SELECT sealed FROM receipt WHERE session_id = $1 ORDER BY sequence DESC LIMIT 1',
    [sessionId],
  )
  return rows[0]?.sealed ?? null
}
