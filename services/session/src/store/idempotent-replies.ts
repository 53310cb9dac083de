import type { Sql } from '@kyc/runtime'

export type ReplyKey = { key_id: string; path: string; key: string }
export type ReplyRow = {
  body_sha256: Buffer
  status: number | null
  session_id: string | null
  sealed_body: Buffer | null
  started_at: Date
}

/** Takes the key for a request that begins now. Null: it was free; else what is there. */
export async function takeReplyKey(
  sql: Sql,
  reply: ReplyKey & { body_sha256: Buffer; at: Date; expired_before: Date; abandoned_before: Date },
): Promise<ReplyRow | null> {
  const values = [reply.key_id, reply.path, reply.key]
  const { rowCount } = await sql.query(
    `INSERT INTO idempotent_reply (key_id, path, key, body_sha256, started_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (key_id, path, key) DO UPDATE SET body_sha256 = excluded.body_sha256, started_at = excluded.started_at,
       status = NULL, session_id = NULL, sealed_body = NULL
     WHERE idempotent_reply.started_at < $6
        OR (idempotent_reply.status IS NULL AND idempotent_reply.started_at < $7)`,
    [...values, reply.body_sha256, reply.at, reply.expired_before, reply.abandoned_before],
  )
  if (rowCount === 1) return null
  const { rows } = await sql.query<ReplyRow>(
    'SELECT * FROM idempotent_reply WHERE key_id = $1 AND path = $2 AND key = $3',
    values,
  )
  return rows[0] ?? null
}

export async function storeReply(
  sql: Sql,
  reply: ReplyKey & { status: number; session_id: string; sealed_body: Buffer },
): Promise<void> {
  await sql.query(
    `UPDATE idempotent_reply SET status = $4, session_id = $5, sealed_body = $6
     WHERE key_id = $1 AND path = $2 AND key = $3`,
    [reply.key_id, reply.path, reply.key, reply.status, reply.session_id, reply.sealed_body],
  )
}

/** Frees a key whose request failed, so that the retry may run. */
export async function freeReplyKey(sql: Sql, reply: ReplyKey): Promise<void> {
  await sql.query(
    'DELETE FROM idempotent_reply WHERE key_id = $1 AND path = $2 AND key = $3 AND status IS NULL',
    [reply.key_id, reply.path, reply.key],
  )
}

export async function pruneReplies(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM idempotent_reply WHERE started_at < $1', [before])
}
